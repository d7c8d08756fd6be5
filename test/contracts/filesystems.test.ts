import { HostFilesystem } from '../../src/session/host-filesystem.ts';
import { MemoryFilesystem } from '../../src/session/memory-filesystem.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { filesystemContract } from './filesystem-contract.ts';
import type { ContractFilesystem } from './filesystem-contract.ts';

const inMemory = async (): Promise<ContractFilesystem> => ({
  filesystem: new MemoryFilesystem(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

const onTheHost = async (): Promise<ContractFilesystem> => {
  const folder = await openTemporaryFolder();
  return {
    filesystem: new HostFilesystem({ root: folder.path }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

filesystemContract('in memory', inMemory, { scripts: 300 });
filesystemContract('on the host', onTheHost, { scripts: 25 });
