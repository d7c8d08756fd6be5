type Environment = Readonly<Record<string, string>>;

// What glibc loads code by; see "secure-execution mode" in ld.so(8).
const LOADER_VARIABLE = /^(?:LD_|GCONV_PATH$|GLIBC_TUNABLES$)/;

/** The variables that tell a program which code to load. */
export function loaderVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => LOADER_VARIABLE.test(name)));
}

/** The others: what bubblewrap itself, which is still outside, may heed. */
export function withoutLoaderVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LOADER_VARIABLE.test(name)));
}
