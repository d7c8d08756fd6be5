// What a person cannot see may carry instructions to a model: controls, formats, fillers, variation selectors, tags.
// Tabs, line breaks, and what makes one emoji of several characters are harmless.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}](?<![\t\n]|\p{Emoji}\uFE0F|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?\u200D(?=\p{Extended_Pictographic}))/gu;

/** Text from a server without the characters that a person would not see. */
export function stripHidden(text: string): string {
  return text.replaceAll(HIDDEN, '');
}
