import { LATIN_PROFILES } from './language-profiles.js';
import type { DetectedLanguage } from './detected-language.js';
import { detectInList, isList } from './list-language.js';
import { countScripts } from './scripts.js';

const UNKNOWN: DetectedLanguage = { language: 'und', confidence: 0 };

/** Enough to tell; longer texts are judged by pieces from their start, middle and end. */
const SAMPLE = 6_000;

/** A Chinese or Japanese character says about as much as this many letters. */
const IDEOGRAPH_LETTERS = 3;

/** Below this many letters a guess loses confidence. */
const ENOUGH_LETTERS = 50;

/**
 * Guesses the language of a text by its script and, for Latin and Cyrillic script, by frequent words and letters of some
 * twenty languages; that of tables and lists by words alone. Reliable from about fifty characters of prose on. Deterministic.
 */
export function detectLanguage(text: string): DetectedLanguage {
  const sample = takeSample(text);
  const counts = countScripts(sample);
  const count = (script: string): number => counts.get(script) ?? 0;
  counts.set('han', count('han') * IDEOGRAPH_LETTERS);
  counts.set('kana', count('kana') * IDEOGRAPH_LETTERS);
  const letters = [...counts.values()].reduce((sum, value) => sum + value, 0);
  if (letters === 0) return UNKNOWN;
  const certainty = Math.min(1, letters / ENOUGH_LETTERS);
  const eastAsian = count('han') + count('kana');
  if (eastAsian > letters / 2) {
    const language = count('kana') > eastAsian * 0.1 ? 'ja' : 'zh';
    return { language, confidence: (eastAsian / letters) * certainty };
  }
  const [script, most] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
  const guess = detectInScript(script, sample);
  return { language: guess.language, confidence: guess.confidence * (most / letters) * certainty };
}

function takeSample(text: string): string {
  if (text.length <= SAMPLE) return text;
  const piece = SAMPLE / 3;
  const middle = Math.floor((text.length - piece) / 2);
  return [text.slice(0, piece), text.slice(middle, middle + piece), text.slice(-piece)].join(' ');
}

function detectInScript(script: string, sample: string): DetectedLanguage {
  switch (script) {
    case 'latin':
      return detectLatin(sample);
    case 'cyrillic':
      return detectCyrillic(sample);
    case 'arabic':
      return { language: /[پچژگ]/.test(sample) ? (/[ٹڈڑں]/.test(sample) ? 'ur' : 'fa') : 'ar', confidence: 0.9 };
    case 'devanagari':
      return { language: /ळ|आहे|आणि/.test(sample) ? 'mr' : 'hi', confidence: 0.8 };
    case 'han':
      return { language: 'zh', confidence: 0.8 };
    case 'kana':
      return { language: 'ja', confidence: 0.9 };
    default:
      return { language: script, confidence: 1 };
  }
}

/** By letters that only some of the languages write. */
function detectCyrillic(sample: string): DetectedLanguage {
  const text = sample.toLowerCase();
  const share = (pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / text.length;
  if (share(/[ђћљњџј]/g) > 0.005) return { language: /[ѓќѕ]/.test(text) ? 'mk' : 'sr', confidence: 0.9 };
  if (share(/ў/g) > 0.002) return { language: 'be', confidence: 0.9 };
  if (share(/[іїєґ]/g) > 0.005) return { language: 'uk', confidence: 0.95 };
  if (share(/[әғқңөұүһ]/g) > 0.01) return { language: 'kk', confidence: 0.7 };
  if (share(/[ыэё]/g) > 0.002) return { language: 'ru', confidence: 0.95 };
  return {
    language: share(/ъ|(?<!\p{L})(?:се|че|е|са|ще)(?!\p{L})/gu) > 0.015 ? 'bg' : 'ru',
    confidence: 0.7,
  };
}

/** By frequent words, those that few languages share counting more, and by letters of their own. */
function detectLatin(sample: string): DetectedLanguage {
  if (isList(sample)) return detectInList(sample.split('\n').map(spokenWords)) ?? UNKNOWN;
  const words = spokenWords(sample);
  if (words.length === 0) return UNKNOWN;
  const hits = new Float64Array(LATIN_PROFILES.length);
  const own = new Uint32Array(LATIN_PROFILES.length);
  const known = LATIN_PROFILES.map(() => new Set<string>());
  const isQuestion = words.length <= MOST_OF_QUESTION && QUESTION_MARK.test(sample);
  let length = 0;
  for (const written of words) {
    const word = written.toLowerCase();
    length += word.length;
    const profiles = PROFILES_BY_WORD.get(word);
    for (const profile of profiles ?? []) {
      // A word that several languages share says less.
      hits[profile]! += 1 / profiles!.length;
      known[profile]!.add(word);
      // One that a single language has tells it by itself, as long as it may be no name: `Ben`, `Van`.
      if (profiles!.length === 1 && (written === word || word.length >= LEAST_OF_NO_NAME)) known[profile]!.add('');
    }
    if (!NOT_ASCII.test(word)) continue;
    for (const letter of word) for (const profile of PROFILES_BY_LETTER.get(letter) ?? []) own[profile]! += 1;
  }
  const scores = LATIN_PROFILES.map(({ language }, index) => ({
    language,
    score: hits[index]! / words.length + (2 * Math.min(own[index]!, length * 0.08)) / length,
    isTold: isQuestion || own[index]! > 0 || known[index]!.size >= LEAST_KNOWN_WORDS,
  })).sort((a, b) => b.score - a.score);
  const [first, second] = scores;
  if (first === undefined || second === undefined || first.score < 0.03 || !first.isTold) return UNKNOWN;
  return { language: first.language, confidence: Math.min(1, 0.3 + (first.score - second.score) / first.score) };
}

/** Words as people write them: no parts of names of files, addresses and code, and single letters only before another word. */
function spokenWords(sample: string): string[] {
  const words: string[] = [];
  for (const { 0: word, index } of sample.matchAll(LATIN_WORD)) {
    const [before, after] = [
      sample.slice(Math.max(0, index - 2), index),
      sample.slice(index + word.length, index + word.length + 3),
    ];
    if (JOINED_BEFORE.test(before) || JOINED_AFTER.test(after)) continue;
    if (
      word.length > 1 ||
      (!CODE_BEFORE.test(before) && (word === word.toLowerCase() ? BEFORE_WORD : BEFORE_LOWER).test(after))
    )
      words.push(word);
  }
  return words;
}

/** Who asks says a sentence: of a few words with a question mark one of a language is enough. */
const MOST_OF_QUESTION = 20;
const QUESTION_MARK = /[?¿？]/u;
/** Different words of a language, below which a guess is none: lists of names and figures hold one of some language by chance. */
const LEAST_KNOWN_WORDS = 2;
/** Letters of a word that is no short name. */
const LEAST_OF_NO_NAME = 4;
/** `com` of `shop.com`, `to` of `to_date`. */
const JOINED_BEFORE = /(?:[\p{L}\p{N}][./\\@]|[_$\d])$/u;
const JOINED_AFTER = /^(?:[./\\@][\p{L}\p{N}]|[_$\d(])/u;
const CODE_BEFORE = /[^\s"'“„«(’]$/u;
const BEFORE_WORD = /^\s["'“„«]?\p{L}/u;
const BEFORE_LOWER = /^\s["'“„«]?\p{Ll}/u;
const LATIN_WORD = /[\p{Script=Latin}\p{M}]+/gu;
const NOT_ASCII = /\P{ASCII}/u;

/** Numbers of the profiles in which a word or a letter is. */
const PROFILES_BY_WORD = new Map<string, number[]>();
const PROFILES_BY_LETTER = new Map<string, number[]>();
for (const [index, { words, letters }] of LATIN_PROFILES.entries()) {
  const add = (map: Map<string, number[]>, key: string): void => void map.set(key, [...(map.get(key) ?? []), index]);
  for (const word of words) add(PROFILES_BY_WORD, word);
  for (const letter of new Set(letters)) add(PROFILES_BY_LETTER, letter);
}
