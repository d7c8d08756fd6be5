import { expect, test } from 'vitest';
import { Caller, defineTool, Hub } from '../../src/index.ts';
import type { ToolInvoked } from '../../src/index.ts';

const TOKEN = 'token-0123456789abcdef';
const LIMIT = 2_000;

test('[S1.secrets] a secret at the place where a long result is cut is masked in the event, whole', async () => {
  await using hub = new Hub();
  hub.scrubber.add(TOKEN);
  // Every place is tried, so that one of them is the cut.
  for (let before = LIMIT / 2; before < LIMIT; before += 10) {
    const text = 'x'.repeat(before) + TOKEN + 'x'.repeat(LIMIT);
    const long = defineTool({ name: 'long', description: 'Says a lot.', params: {}, handler: () => text });
    const caller = new Caller({ hub, tools: [long], resultCharacters: LIMIT });
    const events: ToolInvoked[] = [];
    caller.session.dispatcher.subscribe('tool-invoked', (event) => events.push(event));
    const { truncated } = await caller.call('long');
    expect(truncated).toMatchObject({ totalCharacters: text.length });
    expect(JSON.stringify(events)).not.toContain('token-');
    expect(JSON.stringify(events)).not.toContain('abcdef');
  }
});
