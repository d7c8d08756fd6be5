import { resolveSecrets as resolve } from '../../src/config/resolve-secrets.ts';
import { isSpared } from './exceptions.ts';
import { planting } from './plant.mjs';
import { currentPlace } from './sink-watch.ts';

/** Stands in for the resolver of a hub. */
export const resolveSecrets: typeof resolve = planting(resolve, () => isSpared(currentPlace()));
