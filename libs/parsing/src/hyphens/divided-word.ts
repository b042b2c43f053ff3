import type { WordCounts } from './word-counts.js';

/** What is between the two parts of a word that a line ends within: nothing, its own hyphen, or a hyphen and a space (`Nord- und Südbahn`). */
export type WordJoin = '' | '-' | '- ';

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Behind a hyphen that takes the place of the rest of another word. */
const CONJUNCTIONS = listed('and und oder sowie bzw beziehungsweise bis et ou en och og');
/** Within a compound of several words. */
const SMALL_WORDS = listed('the of to by in on up at and an as for it or out off le la de du des à und der im zu bis');
/** Parts before which a hyphen is part of the word, with the words that follow it; `*`: any of four letters. */
const FIRST_PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    self: '*',
    non: '*',
    well: `known being established defined founded trained designed documented educated informed equipped developed maintained suited written
      paid kept worn meaning behaved intentioned off read respected prepared`,
    ill: 'advised equipped defined fated informed prepared',
    long: 'term standing lasting distance range lived running time haul sighted awaited established serving haired',
    short: 'term lived range sighted circuit haul listed staffed handed',
    medium: 'term sized range',
    near: 'term by surface miss',
    high: 'level quality speed risk end cost income tech profile pressure frequency resolution performance energy density lying volume impact voltage priority ranking rise',
    low: 'level quality speed risk end cost income tech profile pressure frequency resolution energy density lying volume impact voltage priority carbon emission',
    full: 'time scale length fledged size page service',
    part: 'time',
    real: 'time world life',
    open: 'source ended minded air plan access',
    third: 'party class rate person quarter generation',
    second: 'hand class rate person quarter order generation largest',
    first: 'class hand rate person quarter order generation time aid',
    one: 'way sided third off time year day dimensional size to person',
    two: 'way sided thirds dimensional year day part stage step tier tone wheeler week month hour person',
    three: 'way sided dimensional year day part stage step quarters month week',
    decision: 'making maker makers',
    cost: 'effective benefit efficient saving cutting',
    follow: 'up ups on',
    so: 'called',
    state: 'owned run of',
    on: 'site board call demand screen premise premises',
    off: 'site season peak the',
    in: 'house depth person service flight',
    year: 'end round old long on',
    ex: 'president wife husband employee post works officio minister chairman soldier',
    user: 'friendly defined generated facing',
    peut: 'être',
    soi: 'même disant',
    lui: 'même',
    elle: 'même',
    eux: 'mêmes',
    nous: 'mêmes',
    celui: 'ci là',
    celle: 'ci là',
    ceux: 'ci là',
    quelques: 'uns unes',
    vis: 'à',
    rendez: 'vous',
    avant: 'garde hier propos',
    après: 'midi demain guerre',
  }).map(([part, rest]) => [part, listed(rest)] as const),
);
/** Parts before which there is a hyphen, whatever the word before them. */
const LAST_PARTS =
  listed(`based related oriented driven specific sized shaped owned funded dependent sensitive intensive neutral resistant centred
  centered friendly effective called like wide free style level scale led`);
/** First parts of words that are written in one with some of `LAST_PARTS`. */
const WRITTEN_IN_ONE =
  listed(`under over up out with fore inter be mis un re world nation country city child life war god business dis al dream care
  house man de`);
const CHAIN = /^(?:.*[-\u2010\u2011])?([^-\u2010\u2011]+)$/u;

/**
 * What belongs between the parts of a word before and behind the hyphen at the end of a line. The document decides where it has the word elsewhere, in
 * one or with its hyphen; then what is known of compounds; anything else is a word that was divided.
 */
export function joinOfParts(before: string, behind: string, words: WordCounts): WordJoin {
  const last = CHAIN.exec(before)?.[1] ?? before;
  if (!/^\p{L}/u.test(behind) || !/\p{L}$/u.test(last)) return '-';
  const [joined, hyphened] = [words.of(before + behind), words.of(`${before}-${behind}`)];
  if (joined !== hyphened) return joined > hyphened ? '' : '-';
  if (CONJUNCTIONS.has(behind)) return '- ';
  if (/^\p{Lu}/u.test(behind)) return isCapitals(last) && isCapitals(behind) && last.length > 2 ? '' : '-';
  const [part, rest] = [last.toLowerCase(), behind.toLowerCase()];
  if (last !== before && words.of(last + behind) > 0) return '';
  return isCompound(part, rest, last !== before) ? '-' : '';
}

function isCompound(part: string, rest: string, isChain: boolean): boolean {
  if (part.length === 1) return true;
  if (isChain && SMALL_WORDS.has(part)) return true;
  const next = /^[^-\u2010\u2011]+(?=[-\u2010\u2011])/u.exec(rest)?.[0];
  if (next !== undefined && SMALL_WORDS.has(next)) return true;
  const followers = FIRST_PARTS.get(part);
  if (
    followers?.has(rest) === true ||
    (followers?.has('*') === true && rest.length >= LEAST_REST && !rest.startsWith('ish'))
  ) {
    return true;
  }
  return LAST_PARTS.has(rest) && part.length >= LEAST_PART && !WRITTEN_IN_ONE.has(part);
}

const LEAST_REST = 4;
const LEAST_PART = 3;

function isCapitals(text: string): boolean {
  return text === text.toUpperCase();
}
