import { homedir } from 'node:os';
import { stateFolder } from '../config/state-folder.ts';
import { McpError, messageOf } from '../errors.ts';
import { FileCatalogCache } from '../hub/file-catalog-cache.ts';
import type { CachedCatalog } from '../hub/file-catalog-cache.ts';
import { formatBytes } from './byte-size.ts';
import { catalogFolder } from './catalog-folder.ts';
import type { Command } from './command.ts';
import { renderTable } from './text-table.ts';
import { formatAge } from './time-text.ts';
import { UsageError } from './usage-error.ts';

/** `fairlead cache`: what is remembered of servers, and how to forget it. */
export async function runCache(command: Command): Promise<number> {
  const { env, clock, flags, output, positionals } = command;
  const [action, server] = positionals;
  const cache = new FileCatalogCache(catalogFolder(stateFolder(env, homedir())), clock);
  if (action === 'clear') {
    const removed = await cache.clear(server).catch((error: unknown) => {
      throw new McpError('CONFIG_INVALID', `what is remembered cannot be removed: ${messageOf(error)}`);
    });
    if (flags.json) output.json({ removed });
    else output.line(`Forgot ${removed === 1 ? '1 catalog' : `${removed} catalogs`}.`);
    return 0;
  }
  if (action !== undefined) throw new UsageError(`cache knows only 'clear', not '${action}'`, 'cache');
  const catalogs = await cache.list();
  if (flags.json) output.json(catalogs.map(summary));
  else if (catalogs.length === 0) output.note('Nothing is remembered yet: catalogs are kept when servers connect.');
  else
    output.lines(
      renderTable(COLUMNS, rows(catalogs, clock.now()), { width: output.width, styleTitle: output.paint.dim }),
    );
  return 0;
}

const COLUMNS = [
  { title: 'SERVER' },
  { title: 'TOOLS', align: 'right' },
  { title: 'SIZE', align: 'right' },
  { title: 'AGE', align: 'right' },
] as const;

function rows(catalogs: readonly CachedCatalog[], now: number): readonly (readonly { readonly text: string }[])[] {
  return catalogs.map(({ server, catalog, bytes, savedAt }) =>
    [server, String(catalog.tools.length), formatBytes(bytes), formatAge(now - savedAt)].map((text) => ({ text })),
  );
}

function summary({ server, savedAt, path, bytes, catalog }: CachedCatalog): object {
  const { tools, resources, prompts } = catalog;
  return { server, tools: tools.length, resources: resources?.length, prompts: prompts?.length, savedAt, bytes, path };
}
