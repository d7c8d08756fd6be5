import { McpServer } from 'fairlead';

const servers = [
  McpServer.stdio('tools', '/usr/local/bin/mcp-server', ['--verbose'], { env: { MODE: 'quiet' }, cwd: '/srv' }),
  McpServer.sse('events', 'http://localhost:3000/sse'),
  McpServer.npm('git', '@cyanheads/git-mcp-server'),
  McpServer.npm('fs', '@modelcontextprotocol/server-filesystem', ['/allowed/path']),
  McpServer.uvx('sqlite', 'mcp-server-sqlite', ['--db', '/path/to/db.sqlite']),
];
for (const { name, transport, description } of servers) {
  const how = transport.kind === 'stdio' ? [transport.command, ...transport.args].join(' ') : transport.kind;
  console.log(name, how, description);
}

try {
  McpServer.npm('My Server', 'some-package');
} catch (error) {
  console.log((error as Error).message);
}
