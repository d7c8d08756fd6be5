// Run by Node where it loads the modules of a command: whichever file of the bundle declares one of these functions gets it replaced.
const REPLACED = {
  resolveSecrets: "import { planting } from '#here/plant.mjs'; resolveSecrets = planting(resolveSecrets);",
  scrubbedLogger: "import { watching } from '#here/watched-log.mjs'; scrubbedLogger = watching(scrubbedLogger);",
};
const HERE = new URL('.', import.meta.url).href;

export async function load(url, context, next) {
  const module = await next(url, context);
  if (!url.includes('/dist/')) return module;
  const source = String(module.source ?? '');
  const added = Object.entries(REPLACED).filter(([name]) => new RegExp(`function ${name}\\(`).test(source));
  if (added.length === 0) return module;
  return { ...module, source: [source, ...added.map(([, text]) => text.replace('#here/', HERE))].join('\n') };
}
