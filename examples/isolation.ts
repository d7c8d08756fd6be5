import { createRequire } from 'node:module';
import { Caller, Hub, IsolationConfig, McpServer, NetworkPolicy, SandboxConfig } from 'fairlead';

// A server that may use every file, as far as it is concerned.
const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

await using hub = new Hub({
  servers: [McpServer.stdio('files', process.execPath, [script, '/'])],
  // For every server that we start and that has no isolation of its own.
  isolation: new IsolationConfig({
    networkPolicy: NetworkPolicy.withDomains('api.github.com'),
    sandbox: new SandboxConfig({ enabled: true }),
  }),
});
hub.on('sandbox-denied', ({ server, target }) => console.log(`${server} was kept from ${target}`));

// Where there is no sandbox to be had, the server is refused and the error says what to do.
const [status] = await hub.connectAll();
console.log(status?.status, status?.confinement ?? status?.errorCode);

const caller = new Caller({ hub });
for (const path of ['/tmp/hello.txt', '/usr/hello.txt']) {
  const { outcome, message } = await caller.call({ server: 'files', tool: 'write_file' }, { path, content: 'hello' });
  console.log(path, outcome, /EROFS/.exec(message)?.[0] ?? '');
}
