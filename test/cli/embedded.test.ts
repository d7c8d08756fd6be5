import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { CliFolder } from './cli-folder.ts';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open();
});

afterAll(() => cli[Symbol.asyncDispose]());

test('without any config our own server and the reference servers run, and one line says so', async () => {
  const { status, stdout, stderr } = await cli.run(['status', '--json', '--check']);
  const servers = JSON.parse(stdout) as { name: string; status: string; tools: unknown[] }[];
  expect({
    status,
    servers: servers.map((server) => [server.name, server.status]),
    hasTools: servers.every(({ tools }) => tools.length > 0),
  }).toEqual({
    status: 0,
    servers: [
      ['fairlead', 'connected'],
      ['everything', 'connected'],
      ['filesystem', 'connected'],
      ['memory', 'connected'],
    ],
    hasTools: true,
  });
  expect(stderr.split('\n').filter((line) => line.startsWith('No config file found'))).toEqual([
    'No config file found (looked for /etc/fairlead/fairlead.yaml, fairlead.local.yaml, fairlead.yaml, .mcp.json, config/fairlead/fairlead.yaml); using the embedded servers.',
  ]);
});

test.for([
  [['call', 'fairlead', 'about'], expect.stringContaining(`Fairlead ${VERSION} on Node ${process.version}`)],
  [
    ['call', 'fairlead', 'time', 'timeZone=Europe/Berlin'],
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d Europe\/Berlin\n$/),
  ],
  [['call', 'fairlead', 'checksum', 'text=abc', 'algorithm=md5'], '900150983cd24fb0d6963f7d28e17f72\n'],
  [['call', 'fairlead', 'json_query', 'json={"a":[1,2]}', 'pointer=/a/1'], '2\n'],
  [['read', 'fairlead', 'fairlead://guide'], expect.stringContaining('version: 1\nservers:')],
  [
    ['prompt', 'fairlead', 'first_config', 'purpose=search'],
    expect.stringContaining('Write a fairlead.yaml for this purpose: search'),
  ],
] as const)('%j', async ([args, stdout]) => {
  expect(await cli.run(args)).toMatchObject({ status: 0, stdout });
});

test.for([
  [['time', 'timeZone=Nowhere'], "tool-error: 'Nowhere' is no time zone"],
  [['json_query', 'json={}', 'pointer=/a'], 'tool-error: there is nothing at /a'],
] as const)('%j fails with a reason', async ([args, said]) => {
  const { status, stderr } = await cli.run(['call', 'fairlead', ...args]);
  expect([status, stderr.includes(said)]).toEqual([1, true]);
});

test('the memory server remembers from one command to the next', async () => {
  const entities = JSON.stringify([{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }]);
  await cli.run(['call', 'memory', 'create_entities', `entities=${entities}`]);
  expect((await cli.run(['call', 'memory', 'read_graph'])).stdout).toContain('likes tea');
});
