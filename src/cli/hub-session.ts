import { join } from 'node:path';
import { formatWarning } from '../config/config-problem.ts';
import { FileCatalogCache } from '../hub/file-catalog-cache.ts';
import { createFileEraStore } from '../hub/era-store.ts';
import { LocalHub } from '../hub/local-hub.ts';
import { createFileTokenStore } from '../transport/file-token-store.ts';
import type { ServerStatus } from '../hub/server-status.ts';
import { catalogFolder } from './catalog-folder.ts';
import type { Command } from './command.ts';
import { EventRecorder, eventsFile } from './event-recorder.ts';
import { createLineLogger } from './log-lines.ts';
import { ProgressLine } from './progress-line.ts';
import { loadSetup } from './setup.ts';
import type { Setup } from './setup.ts';
import { hintAtWaiting } from './waiting-hint.ts';

/** How long calls in flight may take to finish after a wish to stop. */
const DRAIN_MS = 5000;

/** Verbs whose own output says what would be logged as a warning. */
const TELLS_WARNINGS: ReadonlySet<string> = new Set(['doctor', 'tools', 'types']);

/** Verbs that write down what happens. */
const RECORDED: ReadonlySet<string> = new Set(['up', 'call']);

/** A hub over the declared servers, and where they were declared. */
export interface HubSession {
  readonly hub: LocalHub;
  readonly setup: Setup;
  /** Undefined when nothing is to be written down. */
  readonly recorder: EventRecorder | undefined;
}

/** Gives a verb a hub of its own; afterwards no server of it is left. */
export async function withHub(command: Command, use: (session: HubSession) => Promise<number>): Promise<number> {
  const { flags, clock, output } = command;
  const setup = await loadSetup(command);
  const level = flags.logLevel ?? (TELLS_WARNINGS.has(command.verb) ? 'error' : 'warn');
  const logger = createLineLogger(level, (line) => output.note(output.paintNote.dim(line)));
  if (setup.files.length === 0) {
    output.note(`No config file found (looked for ${setup.lookedFor.join(', ')}); using the embedded servers.`);
  }
  for (const warning of setup.warnings) logger.log('warn', formatWarning(warning));
  const hub = new LocalHub({
    servers: setup.servers,
    secrets: setup.secrets,
    eras: createFileEraStore(join(setup.stateFolder, 'eras.json')),
    ...(!flags.noCache && { catalogs: new FileCatalogCache(catalogFolder(setup.stateFolder), clock) }),
    authorization: { store: createFileTokenStore(join(setup.stateFolder, 'tokens.json')) },
    clock,
    logger,
  });
  const file = eventsFile(setup.stateFolder);
  const isRecorded = RECORDED.has(command.verb) && !flags.noEvents;
  const recorder = isRecorded ? await EventRecorder.open({ file, hub, clock, logger }) : undefined;
  try {
    return await use({ hub, setup, recorder });
  } finally {
    const hint = hintAtWaiting(command);
    await hub.close({ drainMs: DRAIN_MS });
    hint?.cancel();
    // Last, so that the ends of the servers are written down too.
    await recorder?.close();
  }
}

/** Gives a verb the one server that its first argument names; what fails is thrown. */
export function withServer(command: Command, use: (hub: LocalHub, server: string) => Promise<void>): Promise<number> {
  const [server = ''] = command.positionals;
  return withHub(command, async ({ hub }) => {
    await connectServer(command, hub, server);
    await use(hub, server);
    return 0;
  });
}

/** Connects servers and waits for all of them; how each ended is in its status. Throws only when told to stop. */
export async function connectServers(
  command: Command,
  hub: LocalHub,
  names: readonly string[],
): Promise<readonly ServerStatus[]> {
  const { clock, output, interruption } = command;
  const { signal } = interruption;
  if (names.length === 0) return [];
  using _progress = new ProgressLine(output, clock, () => connectingText(hub, names));
  const wanted = names.filter((name) => hub.serverStatus(name).phase !== 'disabled');
  await Promise.allSettled(wanted.map((name) => hub.connect(name, undefined, { signal })));
  signal.throwIfAborted();
  return names.map((name) => hub.serverStatus(name));
}

async function connectServer({ output, clock, interruption }: Command, hub: LocalHub, server: string): Promise<void> {
  if (hub.serverStatus(server).phase === 'disabled') return;
  using _progress = new ProgressLine(output, clock, () => `connecting ${server}`);
  await hub.connect(server, undefined, { signal: interruption.signal });
}

/** The servers that are meant to be connected. */
export function enabledServers(hub: LocalHub): readonly string[] {
  return hub
    .status()
    .filter(({ phase }) => phase !== 'disabled')
    .map(({ name }) => name);
}

function connectingText(hub: LocalHub, names: readonly string[]): string {
  const waiting = names.filter((name) => hub.serverStatus(name).status === 'pending');
  const counted = names.length === 1 ? '' : ` ${names.length - waiting.length} of ${names.length};`;
  return `connecting${counted} ${waiting.join(', ')}`;
}
