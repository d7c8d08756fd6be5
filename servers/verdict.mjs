// A server that answers a list with an error of its own has answered.
const OWN_REFUSAL = 'TOOL_FAILED';

/** What a run shows about one server: `passed`, `refused` as the list says it must, or `failed` and by whose fault. */
export function judge(entry, seen) {
  if (seen.state !== 'connected') return judgeUnconnected(entry, seen);
  const faults = [...faultsOfLists(entry, seen), ...faultsOfCall(entry, seen)];
  if (entry.refuses) faults.push('connected, though the list says that it refuses');
  return faults.length > 0 ? { result: 'failed', fault: 'ours', reasons: faults } : { result: 'passed', reasons: [] };
}

function judgeUnconnected({ refuses }, { errorCode, error = 'no reason was given', stderr = '' }) {
  const [summary] = error.split('; it last wrote:');
  if (!refuses)
    return { result: 'failed', fault: errorCode === 'SERVER_EXITED' ? 'its own' : 'ours', reasons: [error] };
  const said = [summary, ...stderr.split('\n')].find((line) => line.includes(refuses.says))?.trim();
  if (errorCode === refuses.code && said !== undefined)
    return { result: 'refused', reasons: [said === summary ? summary : `${summary}: ${said}`] };
  const expected = `expected ${refuses.code} with '${refuses.says}'`;
  return { result: 'failed', fault: 'ours', reasons: [`${expected}, found ${errorCode}: ${error}`] };
}

function faultsOfLists(entry, seen) {
  const faults = [];
  const listed = seen.tools + seen.quarantined.length;
  if (listed !== entry.tools) faults.push(`${listed} tools were listed, it has ${entry.tools}`);
  const era = entry.era ?? 'legacy';
  if (seen.era !== era) faults.push(`it was spoken to as ${seen.era}, it is ${era}`);
  for (const list of ['resources', 'prompts']) {
    const { error, errorCode } = seen[list];
    if (error !== undefined && errorCode !== OWN_REFUSAL) faults.push(`${list}: ${errorCode}: ${error}`);
  }
  return faults;
}

function faultsOfCall({ call }, seen) {
  if (!call || seen.call.outcome === call.outcome) return [];
  return [`${call.tool} ended as ${seen.call.outcome}, not ${call.outcome}: ${seen.call.message}`];
}
