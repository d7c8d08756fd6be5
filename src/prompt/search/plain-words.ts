// Grammar: says nothing about a tool, in its description or in a request.
const STOP_WORDS = words(`
  a an and are as at be by for from has have i in is it its of on or that the this to was were will with
  you your my me we our can could would should please using use used which what how any all some into about`);

// How people ask: noise in a request, though a tool may be about helping or knowing. No verb that tools are named by stands here.
const REQUEST_WORDS = words(`
  help need want like looking also additionally provide give know tell let us am im ve ll re d s t m don if then so
  there these those they them their he she his her do does did just but such than too very here where when who whom
  whose why while may might must shall been being had having both each own same only again once because interested
  curious great thank thanks wondering wish hello hi kindly ok okay currently`);

/** Whether a word carries nothing to search for, wherever it stands. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The words of a request that say what it is about; never empty unless the request is. */
export function contentWords(request: readonly string[]): readonly string[] {
  const meaningful = request.filter((word) => !STOP_WORDS.has(word));
  const content = meaningful.filter((word) => !REQUEST_WORDS.has(word));
  if (content.length > 0) return content;
  return meaningful.length > 0 ? meaningful : request;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
