import type { CanarySettings, Place } from './canaries.mjs';

/** A canary where none may be: in which sink and forms, and with what around it. */
export interface Sighting extends Partial<Place> {
  readonly sink: string;
  readonly forms: readonly ('text' | 'hex' | 'base64')[];
  readonly around: string;
}

/** Looks for canaries in whatever leaves Fairlead, and writes down where one was seen. */
export declare class Watch {
  constructor(settings?: CanarySettings);
  search(sink: string, thing: unknown, at?: Place): void;
  searchFolder(folder: string, at?: Place): void;
}

/** What was seen in a run so far. */
export declare function readSightings(folder: string): readonly Sighting[];
