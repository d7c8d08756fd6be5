import { McpServer } from '../../src/index.ts';
import type { StdioOptions } from '../../src/index.ts';
import { faulty, v1Stdio, v2Stdio } from '../fixtures/fixture-commands.ts';
import type { FaultyMode, FixtureCommand } from '../fixtures/fixture-commands.ts';

/** The fixture server of SDK v2 over stdio. */
export function healthyServer(name: string, options?: StdioOptions): McpServer {
  return fromCommand(name, v2Stdio(), options);
}

/** The fixture server of SDK v1 over stdio. */
export function v1Server(name: string, options?: StdioOptions): McpServer {
  return fromCommand(name, v1Stdio(), options);
}

/** A server with one fault. */
export function faultyServer(
  name: string,
  mode: FaultyMode,
  options: Readonly<Record<string, unknown>> = {},
): McpServer {
  return fromCommand(name, faulty(mode, options));
}

export function fromCommand(name: string, { command, args }: FixtureCommand, options?: StdioOptions): McpServer {
  return McpServer.stdio(name, command, args, options);
}
