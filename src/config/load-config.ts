import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, relative } from 'node:path';
import { anchorPaths } from './anchored-paths.ts';
import { configLocations, explicitLocation } from './config-files.ts';
import type { ConfigLocation, ConfigSurroundings } from './config-files.ts';
import type { ConfigProblem } from './config-problem.ts';
import { isMap } from './found-value.ts';
import { mergeConfigs } from './merge-configs.ts';
import type { MergedConfig } from './merge-configs.ts';
import { parseConfig } from './parse-config.ts';
import { parseMcpJson } from './parse-mcp-json.ts';
import type { ParsedConfig } from './parsed-config.ts';
import type { Scope } from './server.ts';
import type { Dialect } from './server-spelling.ts';
import type { SourceDocument } from './source-document.ts';

/** Where to look, else where this process stands. */
export interface LoadConfigOptions extends Partial<ConfigSurroundings> {
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
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const { configFile } = options;
  const surroundings = { cwd: process.cwd(), home: homedir(), env: process.env, ...options };
  const isOptional = configFile === undefined;
  const locations = isOptional ? configLocations(surroundings) : [explicitLocation(configFile, surroundings)];
  const files: LoadedFile[] = [];
  const parsed: ParsedConfig[] = [];
  for (const location of locations) {
    const document = await readDocument(location, shownPath(location.path, surroundings.cwd));
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
    const bytes = await readStart(location.path);
    if (bytes.length > MAX_BYTES) return unreadable(file, 'more than 1 MB', 'a config file');
    if (!isUtf8(bytes)) return unreadable(file, 'text that is not in UTF-8', 'a file saved as UTF-8');
    if (bytes.every(isBlank)) return unreadable(file, 'an empty file', OUTLINES[location.format]);
    const parse = await parserOf(location.format);
    return parse(bytes.toString('utf8'), file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EISDIR') return unreadable(file, 'a folder', 'a file');
    const why = code === 'EACCES' ? 'no permission' : (code ?? 'unknown cause');
    return unreadable(file, `a file that cannot be read (${why})`, 'a readable file');
  }
}

/** No more of a file than tells that it is too long; a device may have no end. */
async function readStart(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: MAX_BYTES })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

// What a file of each format must at least hold.
const OUTLINES = { yaml: 'a map that begins with `version: 1`', json: 'a JSON object with the servers' } as const;

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Loaded only where there is a file of its format; each of them is larger than all of our config. */
async function parserOf(format: ConfigLocation['format']): Promise<(text: string, file: string) => SourceDocument> {
  if (format === 'json') return (await import('./json-document.ts')).parseJsonDocument;
  return (await import('./yaml-document.ts')).parseYamlDocument;
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
