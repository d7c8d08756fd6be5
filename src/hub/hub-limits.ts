import { DEFAULT_CATALOG_LIMITS } from '../connection/catalog.ts';
import type { CatalogLimits } from '../connection/catalog.ts';
import { DEFAULT_TRANSPORT_LIMITS } from '../transport/live-transport.ts';
import type { TransportLimits } from '../transport/live-transport.ts';

/** What one hub lets its servers use. */
export interface HubLimits {
  readonly connectsAtOnce: number;
  /** Calls that may wait for one server. */
  readonly pendingCalls: number;
  /** How long a server over stdio may take to say which era it speaks; silence means the older one. */
  readonly eraProbeMs: number;
  /** However much progress a call reports, it ends after this. */
  readonly callTotalMs: number;
  readonly catalog: CatalogLimits;
  readonly transport: TransportLimits;
}

export const DEFAULT_HUB_LIMITS: HubLimits = {
  connectsAtOnce: 8,
  pendingCalls: 64,
  eraProbeMs: 2_000,
  callTotalMs: 600_000,
  catalog: DEFAULT_CATALOG_LIMITS,
  transport: DEFAULT_TRANSPORT_LIMITS,
};
