import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { createPaint } from './colour.ts';
import { EventText } from './event-text.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const START = '2026-01-02T03:04:05.006Z';

function openText(width = Infinity, isColoured = false): EventText {
  return new EventText({ paint: createPaint(isColoured), width });
}

describe('an event is one line', () => {
  test.for([
    [{ type: 'tool-started', name: 'mcp__a__b', mcpServer: 'a' }, 'tool-started         mcp__a__b'],
    [
      { type: 'tool-invoked', name: 'mcp__a__b', outcome: 'ok', durationMs: 12.4, result: { message: 'Success' } },
      'tool-invoked         mcp__a__b  ok, 12 ms',
    ],
    [
      { type: 'tool-invoked', name: 'mcp__a__b', outcome: 'ok', durationMs: 0.2, isCached: true },
      'tool-invoked         mcp__a__b  ok, 0 ms, from the cache',
    ],
    [
      { type: 'tool-invoked', name: 'x', outcome: 'timeout', durationMs: 2500, result: { message: 'too\nslow' } },
      'tool-invoked         x  timeout, 2.5 s: too slow',
    ],
    [{ type: 'approval-asked', name: 'x', policy: 'p', reason: 'Because.' }, 'approval-asked       x  Because.'],
    [
      { type: 'approval-decided', approvalId: '1', decision: 'approved', by: '--yes' },
      'approval-decided     approved by --yes',
    ],
    [{ type: 'approval-decided', decision: 'expired', reason: 'Late.' }, 'approval-decided     expired: Late.'],
    [{ type: 'server-connected', server: 'a', tools: 1 }, 'server-connected     a  1 tool'],
    [{ type: 'server-disconnected', server: 'a' }, 'server-disconnected  a'],
    [{ type: 'server-failed', server: 'a', code: 'X', error: 'gone' }, 'server-failed        a  X: gone'],
    [
      { type: 'server-changed', server: 'a', change: 'phase', phase: 'connecting' },
      'server-changed       a  connecting',
    ],
    [
      { type: 'server-changed', server: 'a', change: 'removed', phase: 'disconnected' },
      'server-changed       a  removed, disconnected',
    ],
    [
      { type: 'tools-changed', server: 'a', added: ['x', 'y'], removed: [], changed: ['z'] },
      'tools-changed        a  added x, y; changed z',
    ],
    [{ type: 'tool-quarantined', server: 'a', tool: 'b', reason: 'twice' }, 'tool-quarantined     a/b  twice'],
    [
      { type: 'sandbox-denied', server: 'a', target: 'example.com:443', reason: 'not named' },
      'sandbox-denied       a  example.com:443: not named',
    ],
    [{ type: 'events-dropped', count: 3 }, 'events-dropped       3 events could not be written'],
    [{ type: 'of-somebody-else', server: 'a', more: { x: 1 } }, 'of-somebody-else     a'],
  ] as const)('%j', ([event, text]) => {
    expect(openText().render({ ...event, at: AT })).toBe(`${START}  ${text}`);
  });

  test('an answer tells which call it was about', () => {
    const text = openText();
    text.render({ type: 'approval-asked', at: AT, approvalId: '1', name: 'mcp__a__b', reason: 'r' });
    expect(text.render({ type: 'approval-decided', at: AT, approvalId: '1', decision: 'refused' })).toBe(
      `${START}  approval-decided     mcp__a__b  refused`,
    );
  });

  test('control characters of a server do not reach the terminal', () => {
    expect(openText().render({ type: 'server-failed', at: AT, server: 'a', error: '\u001B[2Jx\u202Ey' })).toBe(
      `${START}  server-failed        a  xy`,
    );
  });

  test('a terminal gets colours, and no more than fits', () => {
    const event = { type: 'server-failed', at: AT, server: 'a', error: 'x'.repeat(100) };
    const line = openText(80, true).render(event);
    expect(line).toBe(`\u001B[2m${START}\u001B[22m  server-failed        a  \u001B[31m${'x'.repeat(29)}…\u001B[39m`);
  });

  test('whatever stands in a log is one line', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('at', 'name', 'server', 'result', 'added', 'tools'), fc.anything()),
        (fields) => {
          for (const type of ['tool-invoked', 'tools-changed', 'server-connected', 'x\ny']) {
            expect(openText().render({ ...fields, type })).not.toMatch(/[\n\r]/);
          }
        },
      ),
    );
  });
});
