import { describe, expect, test } from 'vitest';
import { judge } from '../../servers/verdict.mjs';
import type { SeenServer } from '../../servers/verdict.mjs';

const seen: SeenServer = {
  state: 'connected',
  era: 'legacy',
  tools: 2,
  quarantined: [],
  resources: { count: 0 },
  prompts: { count: 0 },
  call: { outcome: 'ok', message: 'Success' },
};
const entry = { tools: 2, call: { tool: 'echo', outcome: 'ok' } };

describe('judge', () => {
  test('passes a server that does all that the list says', () => {
    expect(judge(entry, seen)).toEqual({ result: 'passed', reasons: [] });
  });

  test('passes a server that refuses a list in its own words', () => {
    const resources = { error: 'files: resources/list: Method not found', errorCode: 'TOOL_FAILED' };
    expect(judge(entry, { ...seen, resources })).toEqual({ result: 'passed', reasons: [] });
  });

  test('counts a quarantined tool among those that were listed', () => {
    expect(judge(entry, { ...seen, tools: 1, quarantined: ['b: no name'] }).result).toBe('passed');
  });

  test.each<[string, Partial<SeenServer>, string]>([
    ['a tool is missing', { tools: 1 }, '1 tools were listed, it has 2'],
    ['the era is wrong', { era: 'modern' }, 'it was spoken to as modern, it is legacy'],
    [
      'a list does not come',
      { prompts: { error: 'no answer', errorCode: 'CALL_TIMEOUT' } },
      'prompts: CALL_TIMEOUT: no answer',
    ],
    [
      'the call ends otherwise',
      { call: { outcome: 'ambiguous', message: 'lost' } },
      'echo ended as ambiguous, not ok: lost',
    ],
  ])('fails by our fault when %s', (_, change, reason) => {
    expect(judge(entry, { ...seen, ...change })).toEqual({ result: 'failed', fault: 'ours', reasons: [reason] });
  });

  test('fails by its own fault when it exits, and by ours when it does not answer', () => {
    const exited = { state: 'failed', errorCode: 'SERVER_EXITED', error: 'the process exited with code 1' };
    expect(judge(entry, exited)).toEqual({ result: 'failed', fault: 'its own', reasons: [exited.error] });
    const silent = { state: 'failed', errorCode: 'CONNECT_TIMEOUT', error: 'no answer within 60000 ms' };
    expect(judge(entry, silent)).toEqual({ result: 'failed', fault: 'ours', reasons: [silent.error] });
  });

  describe('of a server that must refuse', () => {
    const refusing = { refuses: { code: 'SERVER_EXITED', says: 'ECONNREFUSED' } };
    const refused = {
      state: 'failed',
      errorCode: 'SERVER_EXITED',
      error: 'the process exited with code 1; it last wrote: at connect',
      stderr: 'starting\n  Error: connect ECONNREFUSED\n    at connect',
    };

    test('finds its own words', () => {
      expect(judge(refusing, refused)).toEqual({
        result: 'refused',
        reasons: ['the process exited with code 1: Error: connect ECONNREFUSED'],
      });
    });

    test.each<[string, SeenServer]>([
      ['its words are lost', { ...refused, stderr: '' }],
      ['the cause is another one', { ...refused, errorCode: 'CONNECT_TIMEOUT' }],
      ['it connects', seen],
    ])('fails by our fault when %s', (_, change) => {
      expect(judge({ ...entry, ...refusing }, change)).toMatchObject({ result: 'failed', fault: 'ours' });
    });
  });
});
