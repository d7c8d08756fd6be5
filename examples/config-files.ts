import { fileURLToPath } from 'node:url';
import { Caller, createConfigPolicies, Hub, loadConfig } from 'fairlead';

// Without a file of its own a program gets what the command line would get in the same folder.
const configFile = fileURLToPath(new URL('fairlead.yaml', import.meta.url));
const config = await loadConfig({ configFile });

await using hub = new Hub({ servers: config.servers });
const caller = new Caller({ hub, ...createConfigPolicies(config) });
console.log((await caller.call('mcp__everything__echo', { message: 'Hello' })).content);
console.log((await caller.call('mcp__everything__get-env')).message);
