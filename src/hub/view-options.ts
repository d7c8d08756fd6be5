import type { Clock } from '../clock.ts';
import type { McpServer } from '../config/server.ts';
import type { IsolationConfig } from '../isolation/isolation-config.ts';
import type { NamingStyle } from '../tools/tool-name.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { HubLimits } from './hub-limits.ts';

/** What distinguishes one view of a hub from another. */
export interface ViewOptions {
  readonly servers?: Iterable<McpServer>;
  /** On whose behalf servers are used; connections are never shared between principals. */
  readonly principal?: string;
  readonly naming?: NamingStyle;
  /** Only looks on: sees what is known of servers, keeps none of them running, and connects to none. */
  readonly watches?: boolean;
  /** What servers that we start may touch, unless they say so themselves. */
  readonly isolation?: IsolationConfig;
}

/** What all views of a hub share. */
export interface ViewContext {
  readonly pool: ConnectionPool;
  readonly limits: HubLimits;
  readonly clock: Clock;
  readonly onClosed?: () => void;
}
