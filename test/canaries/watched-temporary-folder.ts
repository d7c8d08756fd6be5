import { openTemporaryFolder as open } from '../fixtures/temporary-folder.ts';
import { noteFolder } from './sink-watch.ts';

export type { TemporaryFolder } from '../fixtures/temporary-folder.ts';

/** Stands in for the folders of tests: what is left in one is searched before it goes. */
export const openTemporaryFolder: typeof open = async () => {
  const folder = await open();
  return {
    ...folder,
    [Symbol.asyncDispose]: async () => {
      noteFolder(folder.path);
      await folder[Symbol.asyncDispose]();
    },
  };
};
