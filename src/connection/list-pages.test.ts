import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../call/tool-ref.ts';
import { listPages } from './list-pages.ts';

/** Answers with the given pages in turn, and keeps what it was asked. */
function pagesOf(...pages: readonly JsonObject[]): {
  asked: JsonObject[];
  fetchPage: (params: JsonObject) => Promise<JsonObject>;
} {
  const asked: JsonObject[] = [];
  return {
    asked,
    fetchPage: async (params) => {
      asked.push(params);
      return pages[asked.length - 1] ?? {};
    },
  };
}

describe('listPages', () => {
  test('reads one page', async () => {
    const { asked, fetchPage } = pagesOf({ tools: [1, 2] });
    expect(await listPages('tools', fetchPage, 100)).toEqual({ entries: [1, 2], hints: {} });
    expect(asked).toEqual([{}]);
  });

  test('follows the cursors to the end, an empty one too, because cursors are opaque', async () => {
    const { asked, fetchPage } = pagesOf(
      { tools: [1], nextCursor: '' },
      { tools: [], nextCursor: 'b' },
      { tools: [2] },
    );
    expect(await listPages('tools', fetchPage, 100)).toEqual({ entries: [1, 2], hints: {} });
    expect(asked).toEqual([{}, { cursor: '' }, { cursor: 'b' }]);
  });

  test.each([null, 7, {}])('takes the cursor %j for the end', async (nextCursor) => {
    const { fetchPage } = pagesOf({ tools: [1], nextCursor });
    expect(await listPages('tools', fetchPage, 100)).toEqual({ entries: [1], hints: {} });
  });

  test('stops at a cursor that comes round again, and says so', async () => {
    const { asked, fetchPage } = pagesOf(
      { tools: [1], nextCursor: 'a' },
      { tools: [2], nextCursor: 'b' },
      { tools: [3], nextCursor: 'a' },
    );
    expect(await listPages('tools', fetchPage, 100)).toEqual({
      entries: [1, 2, 3],
      hints: {},
      stopped: 'page 3 repeats an earlier cursor',
    });
    expect(asked).toHaveLength(3);
  });

  test('stops at the limit of pages, and says so', async () => {
    let pages = 0;
    const endless = async (): Promise<JsonObject> => ({ tools: [pages], nextCursor: String((pages += 1)) });
    expect(await listPages('tools', endless, 3)).toEqual({
      entries: [0, 1, 2],
      hints: {},
      stopped: 'the list has more than 3 pages',
    });
    expect(pages).toBe(3);
  });

  test('has read a list of exactly as many pages as allowed to its end', async () => {
    const { fetchPage } = pagesOf({ tools: [1], nextCursor: 'a' }, { tools: [2] });
    expect(await listPages('tools', fetchPage, 2)).toEqual({ entries: [1, 2], hints: {} });
  });

  test.each([{}, { tools: null }, { tools: {} }, { items: [] }])(
    'refuses the page %j as an invalid result',
    async (page) => {
      const { fetchPage } = pagesOf({ tools: [1], nextCursor: 'a' }, page);
      await expect(listPages('tools', fetchPage, 100)).rejects.toMatchObject({
        failure: { kind: 'invalid-result', detail: 'the list has no tools array' },
      });
    },
  );

  test('a page that fails fails the list', async () => {
    await expect(listPages('tools', () => Promise.reject(new Error('gone')), 100)).rejects.toThrow('gone');
  });

  test('loses no entry and asks for no page twice, however the list is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat()), { minLength: 1, maxLength: 20 }), async (lists) => {
        const pages = lists.map((tools, index) => ({
          tools,
          ...(index < lists.length - 1 && { nextCursor: `page ${index}` }),
        }));
        const { asked, fetchPage } = pagesOf(...pages);
        expect(await listPages('tools', fetchPage, 100)).toEqual({ entries: lists.flat(), hints: {} });
        expect(new Set(asked.map(({ cursor }) => cursor)).size).toBe(lists.length);
      }),
    );
  });
});
