const LEAST_TIMES = 3;
const MOST_WORDS = 4;
/** Terms of one call at most, longest first. */
const MOST_TERMS = 1_000;
/** Letters of scripts without capitals. */
const CASELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Georgian}\p{Script=Ethiopic}]/u;
const GRAMMAR =
  /^(?:[\p{Script=Hiragana}]+|[的了是在和与有也就都而但或这那其各每该此个不没会要能可着过还又从对把被向为等及将让称到以后前并她他它我你们们仍已最更很用中上下时则只须因应均可由于进行通过可以没有以及对于根据如果但是因为所以这个那个一个我们他们]+)$/u;

/** In the canonical text; `sentence` is where its sentence begins. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly sentence: number;
}

/** A stretch that is several times in a text. */
export interface RecurringTerm {
  readonly text: string;
  readonly places: readonly Place[];
}

/**
 * Terms of a text in a script without capitals: sequences of words that return at least three times. A shorter one that is only
 * inside a longer one is left out. Words are those of the Unicode tables, whatever the language.
 */
export function findRecurring(
  sentences: readonly { readonly text: string; readonly start: number }[],
): RecurringTerm[] {
  const counts = new Map<string, Place[]>();
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  for (const { text, start } of sentences) {
    if (!CASELESS.test(text)) continue;
    const words = [...segmenter.segment(text)];
    for (let first = 0; first < words.length; first++) countFrom(words, first, start, counts);
  }
  const terms = [...counts]
    .filter(([, places]) => places.length >= LEAST_TIMES)
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  const kept: RecurringTerm[] = [];
  terms.length = Math.min(terms.length, MOST_TERMS);
  for (const [text, places] of terms) {
    const within = kept.filter((term) => term.text.includes(text)).reduce((sum, term) => sum + term.places.length, 0);
    if (places.length - within >= LEAST_TIMES) kept.push({ text, places });
  }
  return kept;
}

function countFrom(words: readonly Intl.SegmentData[], first: number, start: number, into: Map<string, Place[]>): void {
  if (words[first]!.isWordLike !== true) return;
  let text = '';
  for (let at = first; at < Math.min(words.length, first + 2 * MOST_WORDS - 1); at++) {
    const { segment, isWordLike } = words[at]!;
    if (isWordLike !== true && segment !== ' ') return;
    text += segment;
    if (isWordLike !== true) continue;
    if (GRAMMAR.test(segment)) return;
    if (!isLongEnough(text)) continue;
    const from = start + words[first]!.index;
    const places = into.get(text) ?? [];
    places.push({ start: from, end: from + text.length, sentence: start });
    into.set(text, places);
  }
}

/** A word of two characters says something in Chinese or Japanese when it is joined with another; elsewhere one long word does. */
function isLongEnough(text: string): boolean {
  if (!CASELESS.test(text)) return false;
  if (/\p{Script=Han}/u.test(text)) return text.length >= 3;
  return text.length >= 4;
}
