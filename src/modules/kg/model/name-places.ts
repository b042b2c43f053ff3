/** Where a name is in a text; `end` is behind it. */
export interface NamePlace {
  readonly start: number;
  readonly end: number;
}

const MOST_PLACES = 200;
/** Scripts whose words are kept apart by spaces: a name is not part of a longer word there. */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * The places where a text has a name, equal except for white space; where there are none, case is ignored too. Places inside longer words do not
 * count.
 */
export function findName(text: string, name: string): NamePlace[] {
  const pattern = patternOf(name);
  if (pattern === '') return [];
  const exact = placesOf(text, new RegExp(pattern, 'gu'));
  return exact.length > 0 ? exact : placesOf(text, new RegExp(pattern, 'giu'));
}

function patternOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '');
  return words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&')).join('\\s{1,4}');
}

function placesOf(text: string, pattern: RegExp): NamePlace[] {
  const places: NamePlace[] = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const end = index + found.length;
    if (isJoined(text, index) || isJoined(text, end)) continue;
    places.push({ start: index, end });
    if (places.length === MOST_PLACES) break;
  }
  return places;
}

/** Whether a word goes on at this border. */
function isJoined(text: string, at: number): boolean {
  return at > 0 && at < text.length && SPACED.test(text[at - 1]!) && SPACED.test(text[at]!);
}
