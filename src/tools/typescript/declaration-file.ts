import type { ToolSpec } from '../tool-spec.ts';
import { docComment } from './doc-comment.ts';
import { quoted } from './literal-type.ts';
import { printSchema } from './schema-printer.ts';
import { pascalCase, TypeNames } from './type-names.ts';

/** What of a tool goes into its types. */
export type TypedTool = Pick<ToolSpec, 'name' | 'server' | 'tool' | 'description' | 'inputSchema' | 'outputSchema'>;

const HEADER = `// Written by \`fairlead types\` from the schemas of the servers; run it again when their tools change.
// It tells the compiler what each tool takes and returns. Do not edit it.
import type {} from 'fairlead';

`;

/** A TypeScript file that makes calls by these tools' names typed; it depends on nothing but the tools. */
export function renderDeclarationFile(tools: readonly TypedTool[]): string {
  const names = new TypeNames();
  const sorted = tools.toSorted((left, right) => compare(left.name, right.name));
  // Tools have their names before the parts of any of them, so that a part never takes a tool's.
  const stems = sorted.map(({ server, tool }) => names.take(pascalCase([server, tool]), ['Params', 'Result']));
  const entries: string[] = [];
  const declarations = sorted.flatMap((tool, index) => {
    const stem = stems[index] ?? '';
    entries.push(
      `    ${quoted(tool.name)}: { params: ${stem}Params${tool.outputSchema ? `; result: ${stem}Result` : ''} };`,
    );
    return declareTool(tool, stem, names);
  });
  const augmentation = ["declare module 'fairlead' {", '  interface ToolTypes {', ...entries, '  }', '}'];
  return `${[HEADER + augmentation.join('\n'), ...declarations].join('\n\n')}\n`;
}

function declareTool(tool: TypedTool, stem: string, names: TypeNames): readonly string[] {
  const { inputSchema, outputSchema, description } = tool;
  // Arguments are an object even where the schema forgets to say so.
  const params = printSchema(
    { type: 'object', ...inputSchema },
    { name: `${stem}Params`, names, comment: docComment(description) },
  );
  if (!outputSchema) return params;
  return [...params, ...printSchema(outputSchema, { name: `${stem}Result`, names })];
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
