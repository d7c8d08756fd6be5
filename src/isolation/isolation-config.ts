import type { IsolationMode } from './isolation-mode.ts';
import type { NetworkPolicy } from './network-policy.ts';
import { SandboxConfig } from './sandbox-config.ts';

export interface IsolationFields {
  /** Which hosts a server may reach; without one the network stays open. */
  readonly networkPolicy?: NetworkPolicy;
  /** What a server may see of this machine's files; without one it sees what we see. */
  readonly sandbox?: SandboxConfig;
  /** Environment for every server under this isolation; a server's own values win. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder that stays between starts, as HOME; without one each start has an empty HOME that is gone after it. */
  readonly home?: string;
}

const NO_SANDBOX = new SandboxConfig({ enabled: false });

/** What spawned servers may touch: an immutable value, for one server or for all of a hub. */
export class IsolationConfig {
  readonly networkPolicy: NetworkPolicy | undefined;
  readonly sandbox: SandboxConfig;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string | undefined;

  constructor(fields: IsolationFields = {}) {
    this.networkPolicy = fields.networkPolicy;
    this.sandbox = fields.sandbox ?? NO_SANDBOX;
    this.env = Object.freeze({ ...fields.env });
    this.home = fields.home;
    Object.freeze(this);
  }

  /** What a single word means: a sandbox with nothing more said about it. */
  static ofMode(mode: Exclude<IsolationMode, 'off'>): IsolationConfig {
    return new IsolationConfig({ sandbox: new SandboxConfig({ mode }) });
  }

  /** A network policy that cannot be held must not be ignored: without a sandbox beside it, it is required. */
  get mode(): IsolationMode {
    if (this.sandbox.enabled) return this.sandbox.mode;
    return this.networkPolicy ? 'required' : 'off';
  }

  /** The same with every path replaced. */
  withPaths(replace: (path: string) => string): IsolationConfig {
    const { networkPolicy, sandbox, env, home } = this;
    return new IsolationConfig({
      env,
      sandbox: sandbox.withPaths(replace),
      ...(networkPolicy && { networkPolicy }),
      ...(home !== undefined && { home: replace(home) }),
    });
  }
}
