export type RequestId = string | number;

const SCALAR = String.raw`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
// A value cut off in the middle has no comma or brace after it, and is not taken for a shorter one.
const FIRST_MEMBER = new RegExp(String.raw`\s*[{,]\s*"(\w+)"\s*:\s*(?:(${SCALAR})(?=\s*[,}]))?`, 'y');
const LAST_MEMBER = /[{,]\s*"(\w+)"\s*:\s*("[^"\\]*"|-?\d+)\s*$/;

/**
 * The request that a message answers, told from its first and last bytes alone.
 * Undefined for a server's own requests: their ids are numbers of another series.
 */
export function recoverResponseId(head: string, tail: string): RequestId | undefined {
  const leading = leadingMembers(head);
  const trailing = trailingMembers(tail);
  if (leading.has('method') || leading.has('params') || trailing.has('method')) return undefined;
  if ((leading.get('jsonrpc') ?? trailing.get('jsonrpc')) !== '"2.0"') return undefined;
  return toRequestId(leading.get('id') ?? trailing.get('id'));
}

/** Whether a value can be the id of a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}

/** The scalar members at the start of an object, and the name of the first one that is not scalar or not whole. */
function leadingMembers(text: string): ReadonlyMap<string, string | undefined> {
  const members = new Map<string, string | undefined>();
  FIRST_MEMBER.lastIndex = 0;
  for (;;) {
    const [, name, value] = FIRST_MEMBER.exec(text) ?? [];
    if (name === undefined) return members;
    members.set(name, value);
    if (value === undefined) return members;
  }
}

function trailingMembers(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let rest = text.trimEnd();
  if (!rest.endsWith('}')) return members;
  rest = rest.slice(0, -1);
  for (;;) {
    const match = LAST_MEMBER.exec(rest);
    const [, name, value] = match ?? [];
    if (!match || name === undefined || value === undefined) return members;
    members.set(name, value);
    rest = rest.slice(0, match.index);
  }
}

function toRequestId(json: string | undefined): RequestId | undefined {
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isRequestId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
