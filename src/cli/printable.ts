import { stripVTControlCharacters } from 'node:util';
import { stripHidden } from '../tools/hidden-characters.ts';

/** Text from a server without what would move the cursor, colour the screen or hide something. */
export function printable(text: string): string {
  return stripHidden(stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n')));
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}
