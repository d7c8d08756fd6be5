import { basename, extname, isAbsolute, join, resolve } from 'node:path';
import type { Scope } from './server.ts';
import type { Dialect } from './server-spelling.ts';

/** A place where a config file may be. */
export interface ConfigLocation {
  readonly path: string;
  readonly scope: Scope;
  readonly format: 'yaml' | 'json';
  /** Undefined when only the content can tell. */
  readonly dialect: Dialect | undefined;
}

/** What decides where config files are looked for. */
export interface ConfigSurroundings {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the machine's administrator puts the managed file. */
  readonly managedPath?: string;
}

const MANAGED_PATH = '/etc/fairlead/fairlead.yaml';

/** Where config files are looked for, strongest first. */
export function configLocations(surroundings: ConfigSurroundings): readonly ConfigLocation[] {
  const { cwd, managedPath = MANAGED_PATH } = surroundings;
  const own = [yaml(managedPath, 'managed'), yaml(userPath(surroundings), 'user')] as const;
  const inProject: readonly ConfigLocation[] = [
    yaml(join(cwd, 'fairlead.local.yaml'), 'local'),
    yaml(join(cwd, 'fairlead.yaml'), 'project'),
    { path: join(cwd, '.mcp.json'), scope: 'project', format: 'json', dialect: 'mcp-json' },
  ];
  // In the folder of the user's own file there is no project.
  const others = inProject.filter(({ path }) => own.every((location) => location.path !== path));
  return [own[0], ...others, own[1]];
}

/** The one file that was asked for by its path. */
export function explicitLocation(path: string, surroundings: ConfigSurroundings): ConfigLocation {
  const absolute = resolve(surroundings.cwd, path);
  const known = configLocations(surroundings).find((location) => location.path === absolute);
  if (known) return known;
  const isJson = ['.json', '.jsonc'].includes(extname(absolute)) || basename(absolute) === '.mcp.json';
  return { path: absolute, scope: 'local', format: isJson ? 'json' : 'yaml', dialect: undefined };
}

function yaml(path: string, scope: Scope): ConfigLocation {
  return { path, scope, format: 'yaml', dialect: 'fairlead' };
}

function userPath({ home, env }: ConfigSurroundings): string {
  const configured = env['XDG_CONFIG_HOME'];
  // The XDG specification has relative paths ignored.
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(home, '.config');
  return join(base, 'fairlead', 'fairlead.yaml');
}
