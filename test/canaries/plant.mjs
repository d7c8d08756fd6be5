import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canarySettings, createCanaries } from './canaries.mjs';

const TELL = new URL('tell-canaries.mjs', import.meta.url).href;

// Where each kind of transport has room for a secret.
const FIELDS = { stdio: 'env', http: 'headers', sse: 'headers' };

// One byte for each server.
const COUNT_FILE = 'planted';

/** The resolver of secrets, for servers that hold canaries beside what they are declared with. */
export function planting(resolveSecrets, isSpared = () => false) {
  return async (server, sources, signal) => {
    const resolved = await resolveSecrets(server, sources, signal);
    const { kind } = server.transport;
    const field = FIELDS[kind];
    if (field === undefined || isSpared()) return resolved;
    const { seed, folder } = canarySettings();
    const canaries = createCanaries(seed);
    const source = { name: 'the canaries', get: async (name) => canaries.values[name] };
    // Declared by themselves, so that a failure to resolve the server's own secrets reads as ever.
    const bare = kind === 'stdio' ? { command: 'node', args: [] } : { url: 'http://canary.example/' };
    const declared = server.with({ transport: { kind, ...bare, [field]: canaries[field] } });
    const planted = await resolveSecrets(declared, [source], signal);
    appendFileSync(join(folder, COUNT_FILE), '.');
    const values = { ...resolved.transport[field], ...planted.transport[field] };
    // In a sandbox there is no script of ours to load.
    const isTelling = kind === 'stdio' && (server.isolation ?? 'off') === 'off';
    const transport = { ...resolved.transport, [field]: isTelling ? telling(values) : values };
    return { transport, secrets: [...resolved.secrets, ...planted.secrets] };
  };
}

/** How many servers were given canaries in a run. */
export function plantedCount(folder) {
  return statSync(join(folder, COUNT_FILE), { throwIfNoEntry: false })?.size ?? 0;
}

/** A server of Node loads a script that tells what it was given. */
function telling(env) {
  return { ...env, NODE_OPTIONS: [env.NODE_OPTIONS, `--import=${TELL}`].filter(Boolean).join(' ') };
}
