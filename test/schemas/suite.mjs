import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

// Both need documents or dialects from outside of the schema, which are never fetched.
const LEFT_OUT = new Set(['refRemote.json', 'vocabulary.json']);

/** Runs every case of the suite through the engine. */
export function runSuite(folder, compileSchema) {
  const result = { total: 0, passed: 0, failures: [], byFile: new Map() };
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith('.json') || LEFT_OUT.has(file)) continue;
    const counts = { total: 0, passed: 0 };
    result.byFile.set(basename(file, '.json'), counts);
    for (const group of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
      for (const failure of runGroup(group, compileSchema, counts)) result.failures.push({ file, ...failure });
    }
    result.total += counts.total;
    result.passed += counts.passed;
  }
  return result;
}

function runGroup(group, compileSchema, counts) {
  const check = compileSchema(group.schema);
  const failures = [];
  for (const { description, data, valid } of group.tests) {
    counts.total += 1;
    const found = check.kind === 'unusable' ? check.reason : check.check(data).valid;
    if (found === valid) counts.passed += 1;
    else failures.push({ group: group.description, name: description, found });
  }
  return failures;
}
