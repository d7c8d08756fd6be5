import { readFileSync } from 'node:fs';
import { SUBSCHEMA_PLACES } from '../../dist/tools/schema/subschema-places.js';

/** Compiles the schema of every tool in a file of tools, and counts the keywords they use. */
export function surveyTools(file, compileSchema) {
  const survey = { tools: 0, usable: 0, unusable: [], notes: [], keywords: new Map() };
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { server, tool, inputSchema } = JSON.parse(line);
    if (inputSchema === undefined) continue;
    survey.tools += 1;
    const check = compileSchema(inputSchema);
    if (check.kind === 'usable') survey.usable += 1;
    else survey.unusable.push(`${server}/${tool}: ${check.reason}`);
    for (const note of check.report ?? []) survey.notes.push(`${server}/${tool}: ${note}`);
    for (const keyword of keywordsOf(inputSchema)) {
      survey.keywords.set(keyword, (survey.keywords.get(keyword) ?? 0) + 1);
    }
  }
  return survey;
}

function keywordsOf(schema, found = new Set()) {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    for (const child of heldBy(value, SUBSCHEMA_PLACES.get(keyword))) keywordsOf(child, found);
  }
  return found;
}

function heldBy(value, holding) {
  if (holding === undefined || typeof value !== 'object' || value === null) return [];
  return holding === 'map' || Array.isArray(value) ? Object.values(value) : [value];
}
