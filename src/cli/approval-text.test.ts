import { expect, test } from 'vitest';
import { callOf } from '../../test/fixtures/policy-context.ts';
import { createApprovalRequest } from '../bridge/approval.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { Scrubber } from '../redaction.ts';
import { renderApproval } from './approval-text.ts';
import { createPaint } from './colour.ts';

function render(tool: string, args: JsonObject, secrets: readonly string[] = []): string {
  const scrubber = new Scrubber();
  for (const secret of secrets) scrubber.add(secret);
  const asked = { policy: 'careful', reason: 'It may destroy\nsomething.' };
  const request = createApprovalRequest(callOf(tool, args), asked, { principal: 'local', expiresAt: 0 });
  return renderApproval(request, { scrubber, paint: createPaint(false) }).join('\n');
}

test('whoever is asked sees server, tool, arguments, reason and policy', () => {
  expect(render('files/delete', { path: 'a', deep: { b: [1] } })).toBe(
    `A policy asks about this call:
  server     files
  tool       delete
  arguments  {
               "path": "a",
               "deep": {
                 "b": [
                   1
                 ]
               }
             }
  reason     It may destroy something.
  policy     careful`,
  );
});

test('a native tool has no server', () => {
  expect(render('delete', {})).toBe(
    `A policy asks about this call:
  tool       delete
  arguments  {}
  reason     It may destroy something.
  policy     careful`,
  );
});

test('secrets are masked', () => {
  const text = render('files/delete', { token: 'my-secret-token', inside: ['x my-secret-token y'] }, [
    'my-secret-token',
  ]);
  expect([text.includes('my-secret-token'), text.includes('"token": "***"'), text.includes('"x *** y"')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('what would be invisible or turn the text around is written out', () => {
  const text = render('files/delete', { path: 'a\u202Eb\u200Bc\u001B[2Jd\u2028e\u{E0041}f\u009B', name: 'Åse 日本' });
  expect(text).toContain('"path": "a\\u{202e}b\\u{200b}c\\u001b[2Jd\\u{2028}e\\u{e0041}f\\u{9b}"');
  expect(text).toContain('"name": "Åse 日本"');
});

test('of long arguments the beginning and the end are shown, and what is missing is counted', () => {
  const text = render('files/write', { text: `${'x'.repeat(5000)}rm -rf` });
  expect(text).toMatch(/xxx\n {13}\[… 3\d\d\d characters are not shown …\]\n {13}xxx/);
  expect([text.includes('rm -rf'), text.length < 2500]).toEqual([true, true]);
});
