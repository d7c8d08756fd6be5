import { formatWarning } from '../config/config-problem.ts';
import { minimalEnvironment } from '../transport/child-environment.ts';
import { SandboxProbe } from '../transport/sandbox-probe.ts';
import type { SandboxVerdict } from '../transport/sandbox-probe.ts';
import type { Command } from './command.ts';
import { diagnose } from './diagnosis.ts';
import type { Diagnosis } from './diagnosis.ts';
import { renderDiagnosis } from './diagnosis-text.ts';
import { connectServers, enabledServers, withHub } from './hub-session.ts';
import { sandboxText } from './isolation-text.ts';
import type { Setup } from './setup.ts';
import { shortPath } from './short-path.ts';

/** `fairlead doctor`: what is wrong with each server, and what to do about it. */
export function runDoctor(command: Command): Promise<number> {
  const { flags, output } = command;
  return withHub(command, async ({ hub, setup }) => {
    await connectServers(command, hub, enabledServers(hub));
    const servers = hub.scrubber.scrubValue(hub.status()).map(diagnose);
    const ok = servers.every((server) => server.ok);
    const sandbox = await new SandboxProbe({ env: minimalEnvironment(process.env), clock: command.clock }).verdict();
    if (flags.json) output.json({ ok, config: configReport(setup), sandbox, servers });
    else print(command, setup, { servers, sandbox });
    return ok ? 0 : 1;
  });
}

function configReport({ files, warnings, lookedFor }: Setup): object {
  return { files, lookedFor, warnings: warnings.map((warning) => ({ ...warning, text: formatWarning(warning) })) };
}

interface Findings {
  readonly servers: readonly Diagnosis[];
  readonly sandbox: SandboxVerdict;
}

function print({ output, cwd }: Command, { files, warnings }: Setup, { servers, sandbox }: Findings): void {
  const { paint, width } = output;
  const read = files.map(({ path, scope }) => `${shortPath(path, cwd)} ${paint.dim(`(${scope})`)}`);
  output.line(`Config: ${read.join(', ') || 'none; the embedded servers'}`);
  for (const warning of warnings) output.line(paint.yellow(`  ${formatWarning(warning)}`));
  output.line(`Sandbox: ${sandboxText(sandbox)}`);
  for (const server of servers) output.lines(['', ...renderDiagnosis(server, { paint, width })]);
  output.lines(['', summary(servers)]);
}

function summary(servers: readonly Diagnosis[]): string {
  const wrong = servers.filter(({ ok }) => !ok).length;
  if (servers.length === 0) return 'No servers are declared.';
  if (wrong === 0) return servers.length === 1 ? 'The server is well.' : `All ${servers.length} servers are well.`;
  return `${wrong} of ${servers.length} ${servers.length === 1 ? 'server needs' : 'servers need'} attention.`;
}
