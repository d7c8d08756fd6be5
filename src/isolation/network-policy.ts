import { isIP } from 'node:net';
import { canonicalHost, formatRule, matchesRule, parseHostRule } from './host-rule.ts';
import type { EgressTarget, HostRule } from './host-rule.ts';
import { isLoopbackAddress } from './public-address.ts';

/** Which hosts a server may reach; an empty list means none. */
export class NetworkPolicy {
  /** The allow list, each entry in its one spelling. */
  readonly domains: readonly string[];
  readonly #rules: readonly HostRule[];

  private constructor(domains: readonly string[]) {
    this.#rules = domains.map(parseHostRule);
    this.domains = Object.freeze([...new Set(this.#rules.map(formatRule))]);
    Object.freeze(this);
  }

  /** Only these hosts: `api.github.com`, everything below one as `*.github.com`, or one port as `localhost:8080`. */
  static withDomains(...domains: readonly string[]): NetworkPolicy {
    return new NetworkPolicy(domains);
  }

  /** No host at all. */
  static noNetwork(): NetworkPolicy {
    return new NetworkPolicy([]);
  }

  /** Whether a connection may go there, by the name it was asked for. */
  allows(target: EgressTarget): boolean {
    return this.#rules.some((rule) => matchesRule(rule, target));
  }

  /** Whether an address that is not public was meant: only one that the list itself names was. */
  names(address: string, port: number): boolean {
    const host = canonicalHost(address);
    if (host === undefined || isIP(host) === 0) return false;
    const isMeant = this.#rules.some((rule) => rule.host === host && matchesRule(rule, { host, port }));
    return isMeant || (isLoopbackAddress(host) && this.allows({ host: 'localhost', port }));
  }
}
