// Whatever is longer is no plain failure.
const MAX_LENGTH = 65_536;

/** What a server writes, with a text added where it tells of a failure: in an error's data, or in a failed result. */
export function withCanaries(chunk, told) {
  if (chunk.length > MAX_LENGTH) return chunk;
  const text = String(chunk);
  if (!text.includes('"error":{') && !text.includes('"isError":true')) return chunk;
  return text.replaceAll(/^\{.*\}$/gm, (line) => toldFailure(line, told));
}

function toldFailure(line, told) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return line;
  }
  const { error, result } = message;
  if (typeof error?.code === 'number' && error.data === undefined) error.data = { told };
  else if (result?.isError === true && result.structuredContent === undefined) result.structuredContent = { told };
  else return line;
  return JSON.stringify(message);
}
