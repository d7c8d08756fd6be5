import { closestWord } from './closest-word.ts';
import type { ConfigProblem, FieldPath } from './config-problem.ts';
import { isMap, quote } from './found-value.ts';
import type { ConfigGroup, ParsedConfig } from './parsed-config.ts';
import { locateProblem } from './source-document.ts';

/** Every name that is used in some file and declared in none; files may name what other files declare. */
export function referenceProblems(files: readonly ParsedConfig[]): readonly ConfigProblem[] {
  const declared: Readonly<Record<ConfigGroup, ReadonlySet<string>>> = {
    servers: namesIn(files, 'servers'),
    policies: namesIn(files, 'policies'),
    sections: namesIn(files, 'sections'),
    profiles: namesIn(files, 'profiles'),
  };
  return files.flatMap((file) =>
    usesIn(file)
      .filter(({ group, name }) => !declared[group].has(name))
      .map(({ group, name, path }) => {
        const expected = expectedName(group, name, declared[group]);
        return locateProblem(file.document, { path, part: 'value', found: quote(name), expected });
      }),
  );
}

interface Use {
  readonly group: ConfigGroup;
  readonly name: string;
  readonly path: FieldPath;
}

function namesIn(files: readonly ParsedConfig[], group: ConfigGroup): ReadonlySet<string> {
  return new Set(files.flatMap((file) => file[group].map(({ name }) => name)));
}

const USERS = ['servers', 'sections', 'profiles'];
const USED = ['servers', 'policies', 'sections'] as const;

/** Read from the document itself, so that another mistake in an entry does not hide this one. */
function usesIn(file: ParsedConfig): readonly Use[] {
  return USERS.flatMap((user) =>
    entriesOf(file.document.value, user).flatMap(([owner, entry]) =>
      USED.flatMap((group) => {
        const names = isMap(entry) && Array.isArray(entry[group]) ? (entry[group] as readonly unknown[]) : [];
        return names.flatMap((name, index) =>
          typeof name === 'string' ? [{ group, name, path: [user, owner, group, index] }] : [],
        );
      }),
    ),
  );
}

function entriesOf(value: unknown, group: string): readonly [string, unknown][] {
  const entries = isMap(value) ? value[group] : undefined;
  return isMap(entries) ? Object.entries(entries) : [];
}

function expectedName(group: ConfigGroup, name: string, declared: ReadonlySet<string>): string {
  const meant = closestWord(name, declared);
  if (meant !== undefined) return `a name from ${group}; did you mean ${quote(meant)}?`;
  return declared.size === 0 ? `a name from ${group}, which is empty` : `one of ${group}: ${[...declared].join(', ')}`;
}
