import type { ServerStatus } from '../hub/server-status.ts';
import type { Confinement } from '../isolation/confinement.ts';
import type { SandboxVerdict } from '../transport/sandbox-probe.ts';

/** How a server is isolated, in a few words: what holds it while it runs, else what is wished for. */
export function isolationText({ isolation, confinement }: ServerStatus): string {
  if (isolation === 'off') return 'off';
  if (confinement === undefined) return isolation;
  if (confinement.missing !== undefined) return 'NOT ISOLATED';
  const { files, network } = confinement;
  return files === 'confined' ? `sandbox, ${networkText(network)}` : networkText(network);
}

/** Whether servers can be isolated on this machine, and if not, why and what to do. */
export function sandboxText(verdict: SandboxVerdict): string {
  if (verdict.kind === 'unavailable') return `not available: ${verdict.cause}; ${verdict.fix}`;
  return `available (bubblewrap${verdict.socat === undefined ? '' : ', socat'})`;
}

function networkText(network: Confinement['network']): string {
  if (network === 'open') return 'open network';
  if (network.length === 0) return 'no network';
  return network.length === 1 ? '1 host' : `${network.length} hosts`;
}
