import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { anchorPaths } from './anchored-paths.ts';
import { configLocations, explicitLocation } from './config-files.ts';
import type { ConfigLocation, ConfigSurroundings } from './config-files.ts';
import type { ConfigProblem } from './config-problem.ts';
import { isMap } from './found-value.ts';
import { parseJsonDocument } from './json-document.ts';
import { mergeConfigs } from './merge-configs.ts';
import type { MergedConfig } from './merge-configs.ts';
import { parseConfig } from './parse-config.ts';
import { parseMcpJson } from './parse-mcp-json.ts';
import type { ParsedConfig } from './parsed-config.ts';
import type { Scope } from './server.ts';
import type { Dialect } from './server-spelling.ts';
import type { SourceDocument } from './source-document.ts';
import { parseYamlDocument } from './yaml-document.ts';

export interface LoadConfigOptions extends ConfigSurroundings {
  /** Only this file, in any of the formats. */
  readonly configFile?: string;
}

/** What the config files say, and which of them there were. */
export interface LoadedConfig extends MergedConfig {
  readonly files: readonly LoadedFile[];
}

export interface LoadedFile {
  readonly path: string;
  readonly scope: Scope;
}

/** Reads the config files that apply here; throws a `ConfigError` with every mistake in them. */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { configFile } = options;
  const isOptional = configFile === undefined;
  const locations = isOptional ? configLocations(options) : [explicitLocation(configFile, options)];
  const files: LoadedFile[] = [];
  const parsed: ParsedConfig[] = [];
  for (const location of locations) {
    const document = await readDocument(location, shownPath(location.path, options.cwd));
    if (document === undefined && isOptional) continue;
    const { path, scope } = location;
    files.push({ path, scope });
    parsed.push(anchored(parseDocument(document ?? missing(configFile ?? path), location), dirname(path)));
  }
  return { ...mergeConfigs(parsed), files };
}

// No config is this long; whatever it is, parsing it would only take time.
const MAX_BYTES = 1024 * 1024;

/** Undefined when there is no such file. */
async function readDocument(location: ConfigLocation, file: string): Promise<SourceDocument | undefined> {
  try {
    const bytes = await readFile(location.path);
    if (bytes.length > MAX_BYTES) return unreadable(file, 'more than 1 MB', 'a config file');
    const text = bytes.toString('utf8');
    return location.format === 'json' ? parseJsonDocument(text, file) : parseYamlDocument(text, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return unreadable(file, `a file that cannot be read (${code ?? 'unknown cause'})`, 'a readable file');
  }
}

function missing(file: string): SourceDocument {
  return unreadable(file, 'no such file', 'the path of a config file');
}

function unreadable(file: string, found: string, expected: string): SourceDocument {
  const problem: ConfigProblem = { file, field: '', found, expected };
  return { file, value: undefined, problems: [problem], locate: () => ({ line: 1, column: 1 }) };
}

function parseDocument(document: SourceDocument, location: ConfigLocation): ParsedConfig {
  const dialect = location.dialect ?? dialectOf(document, location.path);
  return dialect === 'mcp-json' ? parseMcpJson(document, location.scope) : parseConfig(document, location.scope);
}

function dialectOf(document: SourceDocument, path: string): Dialect {
  const names = isMap(document.value) && 'mcpServers' in document.value;
  return names || ['.mcp.json', 'mcp.json'].includes(basename(path)) ? 'mcp-json' : 'fairlead';
}

function anchored(config: ParsedConfig, folder: string): ParsedConfig {
  const servers = config.servers.map((server) => ({
    ...server,
    value: server.value && anchorPaths(server.value, folder),
  }));
  return { ...config, servers };
}

/** Paths below the working directory are short in messages. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}
