// The least that a listing from files can cost: load the YAML and the schema library, read, parse, check, print.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const Config = z.object({
  version: z.literal(1),
  servers: z.record(z.string(), z.object({ command: z.string(), args: z.array(z.string()) })),
});

const documents = process.argv.slice(2).map((path) => {
  const text = readFileSync(path, 'utf8');
  return path.endsWith('.yaml') ? Config.parse(parse(text)) : JSON.parse(text);
});
console.log(JSON.stringify(documents));
