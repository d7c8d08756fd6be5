// The client under test: a thin program over the Hub. It does one thing whatever the scenario: connect, use everything once.
import { Hub, McpServer } from '../dist/index.js';

const url = process.argv.at(-1);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const hub = new Hub({
  servers: [McpServer.http('suite', url, { oauth: oauthOf(context), elicitation: true, sampling: true })],
  handlers: {
    elicitation: async () => ({ action: 'accept', content: {} }),
    sampling: async () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } }),
    roots: async () => [],
  },
  authorization: {
    redirectUrl: 'http://localhost:3000/callback',
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    onRedirect: followRedirect,
  },
});

try {
  await useEverything();
} finally {
  await hub.close();
}

async function useEverything() {
  await hub.connect('suite');
  for (const call of callsOf(hub.tools()))
    await attempt(() => hub.callTool('suite', call.name, { arguments: call.arguments }));
  const { resources } = await attempt(() => hub.listResources('suite'), { resources: [] });
  for (const { uri } of resources) await attempt(() => hub.readResource('suite', uri));
  for (const { name, arguments: parameters } of await attempt(() => hub.listPrompts('suite'), [])) {
    await attempt(() =>
      hub.getPrompt('suite', name, { arguments: Object.fromEntries(parameters.map((each) => [each.name, 'test'])) }),
    );
  }
}

/** The suite's login page answers at once with the redirect that a browser would follow. */
async function followRedirect(page) {
  const response = await fetch(page, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`the login page answered ${response.status} without a redirect`);
  return new URL(location, page).searchParams;
}

/** The credentials that a scenario hands out, in the terms of a server's declaration. */
function oauthOf({ client_id, client_secret, private_key_pem, signing_algorithm }) {
  if (client_id === undefined) return {};
  const isMachine = process.env.MCP_CONFORMANCE_SCENARIO?.includes('client-credentials') ?? false;
  return {
    clientId: client_id,
    ...(client_secret !== undefined && { clientSecret: client_secret }),
    ...(private_key_pem !== undefined && { privateKey: private_key_pem, signingAlgorithm: signing_algorithm }),
    ...(isMachine && { grant: 'client_credentials' }),
  };
}

/** The calls that a scenario asks for, or one of each tool. */
function callsOf(tools) {
  if (context.toolCalls) return context.toolCalls;
  // A tool that wants a schema gets one as we have received it.
  const [first] = tools;
  return tools.map(({ tool, inputSchema }) => ({
    name: tool,
    arguments: argumentsFor(inputSchema, first.inputSchema),
  }));
}

function argumentsFor({ properties = {} }, schema) {
  const samples = { string: 'test', number: 2, integer: 2, boolean: true, array: [], object: schema };
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, samples[type] ?? 'test']));
}

async function attempt(run, otherwise) {
  try {
    return await run();
  } catch (error) {
    console.error(`${error.code}: ${error.message}`);
    return otherwise;
  }
}
