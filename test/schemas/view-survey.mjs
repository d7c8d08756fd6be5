import { readFileSync } from 'node:fs';

/** Makes every provider's view of every tool in a file of tools, and looks for what that provider would refuse. */
export async function surveyViews(file) {
  const { providerView } = await import('../../dist/tools/provider/provider-view.js');
  const { PROVIDER_RULES } = await import('../../dist/tools/provider/provider-rules.js');
  const tools = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return Object.keys(PROVIDER_RULES).map((provider) => {
    const row = { provider, tools: tools.length, strict: 0, lossy: 0, wrong: [] };
    for (const { server, tool, description = '', inputSchema = { type: 'object' } } of tools) {
      const view = providerView({ name: tool, description, inputSchema }, provider);
      if (view.isStrict) row.strict += 1;
      if (view.report.length > 0) row.lossy += 1;
      const rules = PROVIDER_RULES[provider === 'openai-strict' && !view.isStrict ? 'openai' : provider];
      const problem = problemOf(view.inputSchema, rules);
      if (problem) row.wrong.push(`${server}/${tool}: ${problem}`);
    }
    return row;
  });
}

function problemOf(schema, { notAtRoot, keywords }) {
  if (schema.type !== 'object') return 'the root is no object';
  const atRoot = Object.keys(schema).find((keyword) => notAtRoot.has(keyword));
  if (atRoot) return `the root has ${atRoot}`;
  const unknown = keywords && unknownKeyword(schema, keywords);
  return unknown ? `has ${unknown}` : undefined;
}

function unknownKeyword(schema, known) {
  if (typeof schema !== 'object' || schema === null) return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword !== '$defs' && !known.has(keyword)) return keyword;
    if (keyword === 'enum' || keyword === 'required') continue;
    const isMap = keyword === 'properties' || keyword === '$defs';
    for (const child of isMap || Array.isArray(value) ? Object.values(value) : [value]) {
      const found = unknownKeyword(child, known);
      if (found) return found;
    }
  }
  return undefined;
}
