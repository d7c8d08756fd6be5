import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Sees which files of the built command line a command loads. */
export class ModuleWatch {
  /** With this environment a command writes down the address of every module that it loads. */
  readonly env: Readonly<Record<string, string>>;
  readonly #log: string;

  private constructor(log: string, register: string) {
    this.#log = log;
    this.env = { NODE_OPTIONS: `--import ${pathToFileURL(register).href}` };
  }

  static async open(): Promise<ModuleWatch> {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-modules-'));
    const [log, hooks, register] = ['loaded.txt', 'hooks.mjs', 'register.mjs'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(log, '');
    await writeFile(
      hooks,
      `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context); }`,
    );
    await writeFile(
      register,
      `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks).href)});`,
    );
    return new ModuleWatch(log, register);
  }

  /** The files that were loaded so far, each once. */
  async files(): Promise<readonly string[]> {
    const lines = (await readFile(this.#log, 'utf8')).split('\n');
    const files = lines.filter((line) => line.startsWith('file:') && line.includes('/dist/cli/'));
    return [...new Set(files)].map((file) => fileURLToPath(file));
  }

  /** The packages that were left out of the bundle and loaded from where they are installed. */
  async installed(): Promise<readonly string[]> {
    const lines = await readFile(this.#log, 'utf8');
    const names = [...lines.matchAll(/^file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name]) => String(name));
    return [...new Set(names)].toSorted();
  }

  /** The packages that have code in those files: the bundle says above each part where it comes from. */
  async packages(): Promise<readonly string[]> {
    const texts = await Promise.all((await this.files()).map((file) => readFile(file, 'utf8')));
    const parts = texts.flatMap((text) => [...text.matchAll(/^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm)]);
    return [...new Set(parts.map(([, name]) => String(name)))].toSorted();
  }
}
