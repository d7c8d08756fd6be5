import type { ConfigWarning, FieldPath, FieldProblem } from './config-problem.ts';
import { describeFound, isMap } from './found-value.ts';
import type { Declared, ParsedConfig } from './parsed-config.ts';
import { readServer } from './parse-server.ts';
import type { McpServer, Scope } from './server.ts';
import { slugServerNames } from './server-name.ts';
import { locateProblem, locateWarning } from './source-document.ts';
import type { SourceDocument } from './source-document.ts';

// Transports of other programs: their servers are left out, and the rest of the file works.
const UNSUPPORTED_TYPES: ReadonlySet<unknown> = new Set(['ws', 'websocket', 'ws-ide', 'sse-ide']);

/** Reads a `.mcp.json`, which other programs read too: what only they understand is passed over with a warning. */
export function parseMcpJson(document: SourceDocument, scope: Scope): ParsedConfig {
  const problems = [...document.problems];
  const warnings: ConfigWarning[] = [];
  const refuse = (problem: FieldProblem): number => problems.push(locateProblem(document, problem));
  const warn = (path: FieldPath, message: string): number => warnings.push(locateWarning(document, { path, message }));
  const root = isMap(document.value) ? document.value : {};
  const {
    mcpServers = {},
    $schema: _,
    ...others
  } = root as { readonly mcpServers?: unknown; readonly $schema?: unknown };
  if (problems.length === 0 && !isMap(document.value)) refuse(notAMap([], document.value));
  if (!isMap(mcpServers)) refuse(notAMap(['mcpServers'], mcpServers));
  for (const key of Object.keys(others)) warn([key], 'Fairlead does not use this key');

  const entries = isMap(mcpServers) ? Object.entries(mcpServers) : [];
  const slugs = slugServerNames(entries.map(([original]) => original));
  const servers: Declared<McpServer>[] = [];
  for (const [original, raw] of entries) {
    const path = ['mcpServers', original];
    if (isMap(raw) && UNSUPPORTED_TYPES.has(raw['type'])) {
      warn(path, `Fairlead has no ${String(raw['type'])} transport and leaves this server out`);
      continue;
    }
    const name = slugs.get(original) ?? original;
    const reading = readServer(name, raw, { dialect: 'mcp-json', scope });
    for (const problem of reading.problems) refuse({ ...problem, path: [...path, ...problem.path] });
    for (const warning of reading.warnings) warn([...path, ...warning.path], warning.message);
    servers.push({
      name,
      path,
      value: name === original ? reading.server : reading.server?.with({ displayName: original }),
    });
  }
  return { document, scope, servers, policies: [], sections: [], profiles: [], problems, warnings };
}

function notAMap(path: FieldPath, value: unknown): FieldProblem {
  return { path, part: 'value', found: describeFound(value, path), expected: 'a map of servers' };
}
