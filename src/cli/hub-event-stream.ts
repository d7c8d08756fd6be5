import type { Hub } from '../hub/hub.ts';
import type { HubEvents } from '../hub/hub-events.ts';

export type HubEvent = HubEvents[keyof HubEvents];

const TYPES = [
  'server-connected',
  'server-disconnected',
  'server-failed',
  'server-changed',
  'tools-changed',
  'tool-quarantined',
  'sandbox-denied',
] as const satisfies readonly (keyof HubEvents)[];

/** Listens to everything that happens in a hub; the returned function stops listening. */
export function onEveryEvent(hub: Hub, listener: (event: HubEvent) => void): () => void {
  const stops = TYPES.map((type) => hub.on(type, listener));
  return () => {
    for (const stop of stops) stop();
  };
}
