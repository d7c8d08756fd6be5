import { describe, expect, test } from 'vitest';
import { NO_FLAGS } from '../../test/fixtures/no-flags.ts';
import { parseArguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** What parsing gives, with the verb by its name. */
function parse(line: string): unknown {
  const request = parseArguments(line.split(' ').filter(Boolean));
  return 'verb' in request && request.verb ? { ...request, verb: request.verb.name } : request;
}

function failure(line: string): { readonly message: string; readonly verb: string | undefined } {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof UsageError) return { message: error.message, verb: error.verb };
    throw error;
  }
  throw new Error(`'${line}' was accepted`);
}

describe('what a command line asks for', () => {
  test('no verb means up', () => {
    expect(parse('')).toEqual({ kind: 'run', verb: 'up', positionals: [], flags: NO_FLAGS });
  });

  test('flags may stand before and after the verb', () => {
    expect(parse('--config a.yaml status --json --check --log-level debug --no-color')).toEqual({
      kind: 'run',
      verb: 'status',
      positionals: [],
      flags: { ...NO_FLAGS, json: true, check: true, noColor: true, logLevel: 'debug', config: 'a.yaml' },
    });
  });

  test('a call keeps its words in order', () => {
    expect(parse('call files read path=a --timeout 500ms b:=1')).toEqual({
      kind: 'run',
      verb: 'call',
      positionals: ['files', 'read', 'path=a', 'b:=1'],
      flags: { ...NO_FLAGS, timeoutMs: 500 },
    });
  });

  test('events may be limited and followed', () => {
    expect(parse('events --follow --limit 0')).toEqual({
      kind: 'run',
      verb: 'events',
      positionals: [],
      flags: { ...NO_FLAGS, follow: true, limit: 0 },
    });
  });

  test('a call may be allowed beforehand, under a profile, and leave no event', () => {
    expect(parse('call a b --yes --profile ci --no-events')).toMatchObject({
      flags: { ...NO_FLAGS, yes: true, profile: 'ci', noEvents: true },
    });
  });

  test('a bare number for --timeout is seconds', () => {
    expect(parse('call a b --timeout 2')).toMatchObject({ flags: { timeoutMs: 2000 } });
  });

  test('--args - means stdin, and a value may follow an equals sign whatever it begins with', () => {
    expect([parse('call a b --args -'), parse('call a b --args=-x')]).toMatchObject([
      { flags: { args: '-' } },
      { flags: { args: '-x' } },
    ]);
  });

  test('--trust-project is accepted', () => {
    expect(parse('status --trust-project')).toMatchObject({ kind: 'run', flags: { trustProject: true } });
  });

  test.for([
    ['--help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
    ['help', { kind: 'help' }],
    ['--version', { kind: 'version' }],
    ['-v', { kind: 'version' }],
  ] as const)('%s', ([line, request]) => {
    expect(parse(line)).toEqual(request);
  });

  test.for(['help call', 'call --help', 'call -h'])('%s shows the help of that verb', (line) => {
    expect(parse(line)).toMatchObject({ kind: 'help', verb: 'call' });
  });
});

describe('a wrong command line', () => {
  test.for([
    ['stauts', "there is no verb 'stauts'; did you mean status?", undefined],
    ['frobnicate', "there is no verb 'frobnicate'", undefined],
    ['help calll', "there is no verb 'calll'; did you mean call?", undefined],
    ['status --jsn', 'there is no flag --jsn; did you mean --json?', 'status'],
    ['status -x', 'there is no flag -x', 'status'],
    ['status --timeout 3s', 'status has no flag --timeout', 'status'],
    ['status --json=yes', "--json takes no value, but was given 'yes'", 'status'],
    ['status --config', '--config needs a value: --config FILE', 'status'],
    ['call a b --args --json', '--args needs a value: --args JSON (write --args=--json if that is the value)', 'call'],
    ['status --log-level loud', "--log-level is one of trace, debug, info, warn, error, not 'loud'", 'status'],
    [
      'call a b --timeout soon',
      `--timeout must be a positive duration such as 30, "30s", "500ms" or "2m", not 'soon'`,
      'call',
    ],
    ['events --limit many', "--limit must be a whole number, not 'many'", 'events'],
    ['events --limit=-1', "--limit must be a whole number, not '-1'", 'events'],
    ['status --yes', 'status has no flag --yes', 'status'],
    ['read files', 'read needs URI', 'read'],
    ['call', 'call needs SERVER', 'call'],
    ['tools a b', "'b' is one argument too many", 'tools'],
  ] as const)('%s', ([line, message, verb]) => {
    expect(failure(line)).toEqual({ message, verb });
  });

  test.for(['add', 'remove', 'enable', 'disable', 'login', 'import'])('%s is as unknown as any other word', (verb) => {
    expect(failure(verb).message).toContain(`there is no verb '${verb}'`);
  });

  test.for(['--port 1', '--stdio'])('up has no %s', (flag) => {
    expect(failure(`up ${flag}`).message).toContain('there is no flag');
  });
});
