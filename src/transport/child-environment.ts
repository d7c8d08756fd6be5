export type Environment = Readonly<Record<string, string>>;

/** Carries the marks of every hub that a process descends from; a child that is lost otherwise is found by it. */
export const OWNER_VARIABLE = 'FAIRLEAD_OWNER';

export interface ChildEnvironmentParts {
  /** The environment of our own process. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** What the server was declared with; it wins over what is inherited. */
  readonly own: Environment;
  /** What its isolation makes of it, such as another HOME. */
  readonly box?: Environment | undefined;
  readonly mark: string;
}

const INHERITED = ['PATH', 'HOME', 'LANG', 'TERM', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR'];
// Nothing starts on Windows without these.
const INHERITED_ON_WINDOWS = ['SYSTEMROOT', 'SYSTEMDRIVE', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'TEMP'];

/** All that a server sees of the environment: a few harmless variables, its own, and the mark of its owner. */
export function childEnvironment(parts: ChildEnvironmentParts): Environment {
  const inheritedMarks = parts.parent[OWNER_VARIABLE];
  return {
    ...minimalEnvironment(parts.parent),
    ...parts.box,
    ...parts.own,
    [OWNER_VARIABLE]: inheritedMarks ? `${inheritedMarks} ${parts.mark}` : parts.mark,
  };
}

/** The inherited variables that carry no secrets and without which little works. */
export function minimalEnvironment(parent: ChildEnvironmentParts['parent']): Environment {
  const names = parent['SYSTEMROOT'] === undefined ? INHERITED : [...INHERITED, ...INHERITED_ON_WINDOWS];
  const found = names.flatMap((name) => {
    const value = parent[name];
    // Such a value is a shell function, which some shells would run.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
