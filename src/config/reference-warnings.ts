import type { FieldWarning } from './config-problem.ts';
import { findForeignReferences, findReferences } from './secret-references.ts';
import type { ServerTransport } from './server-transport.ts';
import { commandTexts, referenceTexts } from './transport-texts.ts';
import type { TransportText } from './transport-texts.ts';

/** Where references stand that will not do what their author may think. */
export function referenceWarnings(transport: ServerTransport): readonly FieldWarning[] {
  const expandsArgs = transport.kind === 'stdio' && transport.expandsArgs === true;
  const texts = expandsArgs ? referenceTexts(transport) : [...commandTexts(transport), ...referenceTexts(transport)];
  return [
    ...texts.flatMap(foreignWarnings),
    ...commandTexts(transport).flatMap(expandsArgs ? visibleWarnings : literalWarnings),
  ];
}

function foreignWarnings({ path, text }: TransportText): readonly FieldWarning[] {
  return findForeignReferences(text).map((reference) => {
    // Only how it begins: the rest may hold a default value.
    const shown = reference.replace(/^(\$\{\w*:?).*$/s, '$1…}');
    return { path, message: `${shown} stays as it is; only \${NAME} and \${NAME:-default} are references` };
  });
}

function visibleWarnings({ path, text }: TransportText): readonly FieldWarning[] {
  if (path[0] !== 'args') return [];
  return findReferences(text).map(({ name }) => ({
    path,
    message: `every user of this machine can see the value of \${${name}} in the list of processes; put it into env`,
  }));
}

function literalWarnings({ path, text }: TransportText): readonly FieldWarning[] {
  return findReferences(text).map(({ name }) => ({
    path,
    message: `\${${name}} stays as it is: references are resolved in env, not in command and args`,
  }));
}
