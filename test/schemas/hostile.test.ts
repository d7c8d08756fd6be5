import { describe, expect, test } from 'vitest';
import { PROVIDER_RULES } from '../../src/tools/provider/provider-rules.ts';
import type { Provider } from '../../src/tools/provider/provider-rules.ts';
import { providerView } from '../../src/tools/provider/provider-view.ts';
import { describeProblems } from '../../src/tools/schema/describe-problems.ts';
import { createToolSchemas } from '../../src/tools/schema/tool-schemas.ts';
import { parseTools } from '../../src/tools/tool-definition.ts';
import { FAMILIES } from './hostile-schemas.ts';

describe.each(FAMILIES)('$name', ({ inputSchema, accepts, refuses, report = [] }) => {
  const schemas = createToolSchemas();
  const { tools } = parseTools([{ name: 'tool', inputSchema }], 1);
  const [tool] = tools;
  if (tool === undefined) throw new Error('the tool is lost');

  test('[S1.schema-full] [S1.fail-invalid] arguments are judged as 2020-12 says, with words for what is wrong', () => {
    expect(accepts.map((value) => schemas.validateArguments(tool, value))).toEqual(
      accepts.map(() => ({ valid: true })),
    );
    for (const value of refuses) {
      const text = describeProblems(schemas.validateArguments(tool, value));
      expect(text).not.toBe('');
      expect(text.length).toBeLessThan(2500);
    }
  });

  test('[S1.schema-table] what is not enforced is in the report', () => {
    expect([...tool.schemaReport, ...schemas.report(tool)]).toEqual(report);
  });

  test.each(Object.keys(PROVIDER_RULES) as Provider[])(
    '[S1.schema-table] %s gets a plain object it knows every keyword of',
    (provider) => {
      const view = providerView({ ...tool, name: 'tool' }, provider);
      const { keywords, notAtRoot } =
        PROVIDER_RULES[view.isStrict || provider !== 'openai-strict' ? provider : 'openai'];
      expect(view.inputSchema['type']).toBe('object');
      expect(Object.keys(view.inputSchema).filter((keyword) => notAtRoot.has(keyword))).toEqual([]);
      if (keywords) expect(unknownKeywords(view.inputSchema, keywords)).toEqual(new Set());
      const [first] = accepts;
      const back = view.toServerArguments(
        view.report.some((line) => line.includes('wrapped'))
          ? { input: first }
          : (first as object as Record<string, unknown>),
      );
      expect(back).toEqual(first);
    },
  );
});

function unknownKeywords(schema: unknown, known: ReadonlySet<string>, found = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!known.has(keyword) && keyword !== '$defs') found.add(keyword);
    const isMap = keyword === 'properties' || keyword === '$defs';
    const children: unknown[] = isMap || Array.isArray(value) ? Object.values(value as object) : [value];
    if (keyword !== 'enum' && keyword !== 'required')
      for (const child of children) unknownKeywords(child, known, found);
  }
  return found;
}
