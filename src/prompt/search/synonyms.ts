import { wordStem } from './word-stem.ts';

/** For each stem the stems that mean nearly the same in the name of a tool. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

// Words by which the same thing is called in requests and in tools. Verbs first: they tell the tools of one server apart.
const GROUPS: readonly string[] = [
  'create add new make insert',
  'delete remove drop',
  'get fetch retrieve read obtain',
  'show display view',
  'update edit modify change patch',
  'search find query lookup',
  'send post publish',
  'run execute',
  'calculate compute',
  'convert transform',
  'folder directory',
  'file document',
  'image picture photo',
  'email mail',
  'repository repo',
  'database db',
  'document doc',
  'configuration config setting',
  'information info detail',
  'kubernetes k8s',
  'website site webpage',
  'screenshot capture',
  'error failure crash exception',
  'ticket issue bug',
  'comment reply note',
  'chart graph plot',
  'price cost',
  'directions route',
  'movie film',
  'song track music',
  'video clip',
  'weather forecast',
  'stock equity',
  'buy purchase shop',
  'job vacancy career',
  'hotel accommodation lodging',
  'restaurant dining food',
  'flight airline',
];

export function createSynonyms(): Synonyms {
  const synonyms = new Map<string, readonly string[]>();
  for (const group of GROUPS) {
    const stems = group.split(' ').map(wordStem);
    for (const stem of stems) {
      const others = stems.filter((other) => other !== stem);
      synonyms.set(stem, [...new Set([...(synonyms.get(stem) ?? []), ...others])]);
    }
  }
  return synonyms;
}
