import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/project.mjs';
import { runSuite } from './suite.mjs';
import { surveyTools } from './tool-survey.mjs';
import { surveyViews } from './view-survey.mjs';

const DATA = '../shared/data';
const TARGET_PER_CENT = 98;

/** Holds the schema engine against the official cases and against the schemas of public servers; gives the exit status. */
export async function schemas() {
  const suiteFolder = join(root, DATA, 'json-schema-test-suite', 'draft2020-12');
  const toolsFile = join(root, DATA, 'npm-servers', 'tools.jsonl');
  if (!existsSync(suiteFolder) || !existsSync(toolsFile)) {
    console.log(`Nothing was measured: the data is not in ${DATA}, beside the project.`);
    return 0;
  }
  const { compileSchema } = await import('../../dist/tools/schema/compile-schema.js');
  const suite = runSuite(suiteFolder, compileSchema);
  printSuite(suite);
  const survey = surveyTools(toolsFile, compileSchema);
  const isSurveyGood = printSurvey(survey, suite);
  const areViewsGood = printViews(await surveyViews(toolsFile));
  return perCent(suite) >= TARGET_PER_CENT && isSurveyGood && areViewsGood ? 0 : 1;
}

function printSuite(suite) {
  console.log('JSON Schema 2020-12, required cases without refRemote and vocabulary');
  console.log(`  ${suite.total} cases, ${suite.passed} passed, ${perCent(suite).toFixed(2)} %`);
  for (const { file, group, name, found } of suite.failures)
    console.log(`  failed: ${file}: ${group}: ${name}: ${found}`);
}

function printSurvey(survey, suite) {
  console.log(`\nSchemas of public servers: ${survey.tools} tools, ${survey.usable} usable`);
  for (const line of survey.unusable) console.log(`  unusable: ${line}`);
  for (const line of survey.notes) console.log(`  not fully enforced: ${line}`);
  console.log('\n  keyword               tools   cases  passed');
  const rows = [...survey.keywords].toSorted(([, left], [, right]) => right - left);
  const wrong = rows.filter(([keyword, tools]) => !printKeyword(keyword, tools, suite.byFile));
  if (wrong.length > 0) console.log(`\n  wrong verdicts in: ${wrong.map(([keyword]) => keyword).join(', ')}`);
  return survey.unusable.length === 0 && wrong.length === 0;
}

function printKeyword(keyword, tools, byFile) {
  const cases = byFile.get(SUITE_FILES[keyword] ?? keyword);
  const counts = cases ? `${String(cases.total).padStart(6)}  ${String(cases.passed).padStart(6)}` : '     -       -';
  console.log(`  ${keyword.padEnd(20)} ${String(tools).padStart(6)}  ${counts}`);
  return cases === undefined || cases.passed === cases.total;
}

function printViews(rows) {
  console.log('\n  view                  tools  strict  with loss  wrong');
  for (const { provider, tools, strict, lossy, wrong } of rows) {
    const counts = [tools, strict, lossy, wrong.length].map((count, index) =>
      String(count).padStart([6, 8, 11, 7][index]),
    );
    console.log(`  ${provider.padEnd(20)} ${counts.join('')}`);
    for (const line of wrong) console.log(`    ${line}`);
  }
  return rows.every(({ wrong }) => wrong.length === 0);
}

// Where a keyword's cases stand under another name.
const SUITE_FILES = {
  $ref: 'ref',
  $defs: 'defs',
  definitions: 'defs',
  $anchor: 'anchor',
  $dynamicRef: 'dynamicRef',
  if: 'if-then-else',
  else: 'if-then-else',
  // oxlint-disable-next-line no-thenable -- the name of a keyword
  then: 'if-then-else',
};

function perCent({ passed, total }) {
  return (100 * passed) / total;
}
