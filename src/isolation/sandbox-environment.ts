import { PROXY_PORT } from './bubblewrap.ts';
import type { NetworkPolicy } from './network-policy.ts';

export interface SandboxEnvironmentRequest {
  readonly home: string;
  /** Whether the server has a /tmp of its own. */
  readonly hasOwnTmp: boolean;
  /** The way out; undefined when the network is open, or when there is none. */
  readonly egress: { readonly policy: NetworkPolicy; readonly preloadPath: string } | undefined;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];
const LOOPBACK_DOMAIN = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(?::\d+)?$/;

/** What a server under isolation must know to find its HOME, its temporary folder and its way out. */
export function sandboxEnvironment(request: SandboxEnvironmentRequest): Readonly<Record<string, string>> {
  return {
    HOME: request.home,
    ...(request.hasOwnTmp && { TMPDIR: '/tmp' }),
    ...(request.egress && proxyEnvironment(request.egress.policy)),
    ...(request.egress && { NODE_OPTIONS: `--require ${JSON.stringify(request.egress.preloadPath)}` }),
  };
}

function proxyEnvironment(policy: NetworkPolicy): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const isNamed = policy.domains.some((domain) => LOOPBACK_DOMAIN.test(domain));
  // Its own loopback is the sandbox's, unless the policy means that of the machine.
  const direct = isNamed ? '' : LOOPBACK_NAMES.join(',');
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    // Node heeds the variables above when asked to, since 22.21 and 24.5; an older one is taught.
    NODE_USE_ENV_PROXY: '1',
  };
}
