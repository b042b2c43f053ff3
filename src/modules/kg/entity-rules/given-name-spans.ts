import { givenName } from './given-names.js';
import { CONNECTORS, PERSON_TITLES } from './name-cues.js';
import type { NamedSpan } from './named-span.js';
import { isOrdinaryWord } from './ordinary-words.js';
import type { Word } from './sentence-words.js';

/** Words of one person's name at most, without titles. */
const MOST_WORDS = 4;
const LETTERS = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u;

/**
 * A given name with a family name behind it. What is around it in the run are ordinary words: `Stationsleitung Petra Zimmermann`.
 * Null where an unknown word is there, which may be of another name.
 */
export function personWithin(words: readonly Word[], from: number, to: number): NamedSpan | null {
  for (let first = from; first < to; first++) {
    const { lower } = words[first]!;
    const given = givenName(lower);
    if (given === null || !canFollow(words[first + 1]!, given)) {
      if (!isOrdinaryWord(lower, true) && !PERSON_TITLES.has(lower)) return null;
      continue;
    }
    const last = lastOfName(words, first, to);
    return last === null ? null : { start: words[first]!.start, end: words[last]!.end, type: 'person', certain: true };
  }
  return null;
}

function canFollow(next: Word, given: 'sure' | 'maybe'): boolean {
  if (CONNECTORS.has(next.lower) && next.lower !== 'of') return true;
  if (!LETTERS.test(next.text)) return false;
  return given === 'sure' || !isOrdinaryWord(next.lower, true);
}

/** Null where more words follow than a name has. */
function lastOfName(words: readonly Word[], first: number, to: number): number | null {
  let last = first + 1;
  while (last < to && CONNECTORS.has(words[last]!.lower)) last += 1;
  if (!words[last]!.capital) return null;
  for (let next = last + 1; next <= to; next++) {
    const { lower, text } = words[next]!;
    if (isOrdinaryWord(lower, true)) break;
    if (!LETTERS.test(text) && !CONNECTORS.has(lower)) return null;
    if (next - first >= MOST_WORDS) return null;
    last = next;
  }
  return last;
}
