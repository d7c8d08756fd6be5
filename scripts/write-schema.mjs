import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { root } from './project.mjs';

// Writes schema/fairlead.schema.json from the schema that the parser uses; a test fails when it is out of date.
await ensureBuilt();
const { configJsonSchema } = await import(pathToFileURL(join(root, 'dist/config/config-json-schema.js')).href);
mkdirSync(join(root, 'schema'), { recursive: true });
writeFileSync(join(root, 'schema', 'fairlead.schema.json'), `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
