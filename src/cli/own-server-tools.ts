import { createHash } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { InProcessServer } from '../config/in-process-server.ts';
import { VERSION } from '../version.ts';
import { readPointer } from './json-pointer.ts';

const GUIDE = `Servers are declared in fairlead.yaml:

version: 1
servers:
  files:
    command: npx
    args: [-y, "@modelcontextprotocol/server-filesystem", ./data]
  search:
    url: https://search.example.com/mcp
    headers: { Authorization: "Bearer \${SEARCH_TOKEN}" }

\${NAME} is looked up in the environment and in .env when the server is connected.
\`fairlead doctor\` says what is wrong with each server.
`;

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

/** Tools, a resource and a prompt that are of use before any server is configured. */
export function createOwnServer(clock: Clock): InProcessServer {
  const server = new McpServer({ name: 'fairlead', version: VERSION });
  addAbout(server);
  addTime(server, clock);
  addChecksum(server);
  addJsonQuery(server);
  addGuide(server);
  return server;
}

function addAbout(server: McpServer): void {
  const config = {
    description: 'Tells the versions of Fairlead and Node, and the platform they run on.',
    inputSchema: z.object({}),
    annotations: READ_ONLY,
  };
  server.registerTool('about', config, () => {
    const { version, platform, arch } = process;
    return text(`Fairlead ${VERSION} on Node ${version}, ${platform} ${arch}`, {
      version: VERSION,
      node: version,
      platform,
      arch,
    });
  });
}

function addTime(server: McpServer, clock: Clock): void {
  const timeZone = z.string().optional().describe('An IANA name such as Europe/Berlin; UTC if left out.');
  const config = {
    description: 'Tells the time now, in any time zone.',
    inputSchema: z.object({ timeZone }),
    annotations: READ_ONLY,
  };
  server.registerTool('time', config, ({ timeZone: zone = 'UTC' }) => {
    const now = new Date(clock.now());
    try {
      const local = new Intl.DateTimeFormat('sv-SE', {
        dateStyle: 'short',
        timeStyle: 'medium',
        timeZone: zone,
      }).format(now);
      return text(`${local} ${zone}`, { iso: now.toISOString(), local, timeZone: zone });
    } catch {
      return failure(`'${zone}' is no time zone; give an IANA name such as Europe/Berlin`);
    }
  });
}

function addChecksum(server: McpServer): void {
  const algorithm = z.enum(['sha256', 'sha512', 'sha1', 'md5']).default('sha256');
  const config = {
    description: 'Computes the checksum of a text, in hexadecimal.',
    inputSchema: z.object({ text: z.string(), algorithm }),
    annotations: { ...READ_ONLY, idempotentHint: true },
  };
  server.registerTool('checksum', config, ({ text: input, algorithm: name }) => {
    const checksum = createHash(name).update(input).digest('hex');
    return text(checksum, { algorithm: name, checksum });
  });
}

function addJsonQuery(server: McpServer): void {
  const pointer = z.string().describe('A JSON Pointer (RFC 6901) such as /servers/0/name; empty for the whole value.');
  const config = {
    description: 'Reads one value out of a JSON text.',
    inputSchema: z.object({ json: z.string(), pointer }),
    annotations: { ...READ_ONLY, idempotentHint: true },
  };
  server.registerTool('json_query', config, ({ json, pointer: path }) => {
    try {
      const value = readPointer(JSON.parse(json), path);
      return text(JSON.stringify(value, undefined, 2), { value });
    } catch (error) {
      return failure((error as Error).message);
    }
  });
}

function addGuide(server: McpServer): void {
  const guide = { description: 'How to declare servers.', mimeType: 'text/plain' };
  server.registerResource('guide', 'fairlead://guide', guide, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: GUIDE }],
  }));
  const purpose = z.string().describe('What the servers are needed for.');
  const config = { description: 'Asks an agent for a first fairlead.yaml.', argsSchema: z.object({ purpose }) };
  server.registerPrompt('first_config', config, ({ purpose: wish }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Write a fairlead.yaml for this purpose: ${wish}\n\n${GUIDE}` } },
    ],
  }));
}

function text(said: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: said }], structuredContent };
}

function failure(said: string): CallToolResult {
  return { content: [{ type: 'text', text: said }], isError: true };
}
