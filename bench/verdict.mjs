/** Whether a number is what was promised. */
export function verdict(claim, isMet) {
  return { status: isMet ? 'met' : 'missed', claim };
}

/** A promise that could not be looked at, and why. */
export function skipped(claim, reason) {
  return { status: 'skipped', claim: `${claim}: ${reason}` };
}

const MARKS = { met: '✓', missed: '✗', skipped: '–' };

export function renderVerdict({ status, claim }) {
  return `${MARKS[status]} ${status}: ${claim}`;
}
