// Secrets that every server gets when the suite is run for them, in tests and in the commands that tests run.
import { createHash } from 'node:crypto';

/** Under this name a process knows that there are canaries: their seed, where sightings are written down, and for which test. */
export const VARIABLE = 'FAIRLEAD_CANARIES';

/** What this process is told of the canaries. */
export function canarySettings() {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error(`${VARIABLE} is not set`);
  return JSON.parse(text);
}

/** The cores are of letters alone, which most encoders leave as they are; what is around them is what they change. */
export function createCanaries(seed) {
  const cores = ['named', 'referenced', 'leaky', 'header', 'referenced header'].map((name) => coreOf(seed, name));
  const [named, referenced, leaky, header, referencedHeader] = cores;
  return {
    cores,
    /** What a definition says: one value as it stands, the others by reference. The last name is for the leaky fixture. */
    env: {
      CANARY_TOKEN: `"q'${named}/\\ключ🔑"`,
      CANARY: '${CANARY}',
      LEAK_CANARY: '${LEAK_CANARY}',
    },
    headers: { 'x-canary-token': `"q'${header}/\\ä"`, 'x-canary': '${X_CANARY}' },
    /** What the references stand for. A header holds no characters but those of Latin-1. */
    values: {
      CANARY: `/s\\${referenced}+ä"ß' %41&=<>`,
      LEAK_CANARY: `ü"${leaky}'\\n/`,
      X_CANARY: `/s\\${referencedHeader}+ß"'%41&=<>`,
    },
  };
}

function coreOf(seed, name) {
  const digest = createHash('sha512').update(`${seed} ${name}`).digest();
  return Array.from(digest.subarray(0, 40), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
}
