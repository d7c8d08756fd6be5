import type { ToolInvoked } from '../call/tool-invoked.ts';
import { defineSlice } from './slice.ts';
import type { Slice } from './slice.ts';

const MAX_CALLS = 1000;

/** The last 1,000 calls of a session, whatever became of them; a session keeps them only if this is among its slices. */
export const ToolCallLog: Slice<ToolInvoked> = defineSlice<ToolInvoked>({
  name: 'tool-calls',
  kind: 'log',
  reducers: {
    'tool-invoked': (items, event: ToolInvoked) =>
      items.length < MAX_CALLS
        ? { kind: 'append', item: event }
        : { kind: 'replace', items: [...items.slice(1 - MAX_CALLS), event] },
  },
});
