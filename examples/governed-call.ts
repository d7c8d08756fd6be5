import {
  Caller,
  callbackBroker,
  defineSlice,
  defineTool,
  Hub,
  PermissionsPolicy,
  SequentialDependencyPolicy,
  Session,
} from 'fairlead';
import { z } from 'zod';

const Deployed = defineSlice<string>({ name: 'deployed' });

const test = defineTool({
  name: 'test',
  description: 'Runs the tests.',
  params: z.object({}),
  annotations: { readOnlyHint: true },
  handler: () => '12 passed',
});
const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys a version.',
  params: z.object({ version: z.string() }),
  annotations: { destructiveHint: true },
  policies: [new SequentialDependencyPolicy({ deploy: ['test'] })],
  handler: ({ version }, { session }) => {
    session.slice(Deployed).append(version);
    if (version === '0.0.0') throw new Error('there is no such version');
    return `${version} is live`;
  },
});

await using hub = new Hub();
const session = new Session();
session.dispatcher.subscribe('tool-invoked', ({ name, outcome }) => console.log(name, outcome));
const caller = new Caller({
  hub,
  session,
  tools: [test, deploy],
  policies: [new PermissionsPolicy()],
  approval: callbackBroker(async ({ name, arguments: args, reason }) => {
    console.log('asked:', name, args, reason);
    return { approved: true, by: 'Ada' };
  }),
});

console.log((await caller.call('deploy', { version: '1.2.3' })).message);
await caller.call('test');
console.log((await caller.call('deploy', { version: 123 })).message);
await caller.call('deploy', { version: '0.0.0' });
await caller.call('deploy', { version: '1.2.3' });
// What the failed call wrote was rolled back.
console.log(session.slice(Deployed).all());
