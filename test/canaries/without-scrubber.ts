import { Scrubber } from '../../src/redaction.ts';

/** Masks nothing from now on, so that it can be seen where secrets would be seen. */
export function withoutScrubber(): void {
  Scrubber.prototype.scrub = (text) => text;
  Scrubber.prototype.scrubValue = (value) => value;
}
