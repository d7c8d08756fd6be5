import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer } from '../config/server.ts';

const packageRoot = (): string => fileURLToPath(new URL('../..', import.meta.url));

/** The protocol's reference servers, where they are installed in this package's own folder, as they are in a clone. */
export async function referenceServers(): Promise<readonly McpServer[]> {
  const [everything, filesystem, memory] = ['everything', 'filesystem', 'memory'].map(programOf);
  const servers: McpServer[] = [];
  if (everything !== undefined) servers.push(McpServer.stdio('everything', process.execPath, [everything, 'stdio']));
  if (filesystem !== undefined)
    servers.push(McpServer.stdio('filesystem', process.execPath, [filesystem, shownFolder()]));
  if (memory !== undefined) {
    const env = { MEMORY_FILE_PATH: join(await scratchFolder(), 'memory.jsonl') };
    servers.push(McpServer.stdio('memory', process.execPath, [memory], { env }));
  }
  return servers;
}

/** The file that the package's command runs; started by Node itself, so that nothing is ever downloaded. */
function programOf(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/package.json`);
    if (!manifest.startsWith(join(packageRoot(), 'node_modules') + sep)) return undefined;
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
    const [file] = Object.values(bin);
    return file === undefined ? undefined : join(dirname(manifest), file);
  } catch {
    return undefined;
  }
}

function shownFolder(): string {
  const folders = ['examples', 'docs'].map((name) => join(packageRoot(), name));
  return folders.find((folder) => existsSync(folder)) ?? packageRoot();
}

/** A folder that outlives one command, so that the memory server remembers; nobody else's is ever used. */
async function scratchFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `fairlead-${uid}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const found = await lstat(folder).catch(() => undefined);
  const isOurs = found?.isDirectory() && (uid === -1 || (found.uid === uid && (found.mode & 0o022) === 0));
  return isOurs ? folder : mkdtemp(join(tmpdir(), 'fairlead-'));
}
