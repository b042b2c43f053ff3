import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import type { QuestionWords } from './question-words.js';
import { SPANISH } from './spanish.js';

const ENGLISH =
  /(?<!\p{L})(?:what|which|how|who|when|where|the|is|are|of|did|does|please|show|list|give|find|tell|count)(?!\p{L})/iu;

/** `d’entrées` is two words. */
const ELIDED = /(?<!\p{L})([dlnqs])['’](?=\p{L})/giu;

const SUPERLATIVE =
  'the (?:highest|lowest|largest|smallest|longest|shortest|heaviest|lightest|fastest|slowest|cheapest|newest|oldest|most expensive)';
/** “Quel est le soin le plus court”, „Welches ist das kleinste Zimmer“: what is asked for follows the question word in English. */
const BEHIND_ITS_NOUN = new RegExp(
  String.raw`^\W*(?:what|which) (?:is|are) the (\p{L}+) (${SUPERLATIVE})(?=\W*$| (?:of|in) )`,
  'iu',
);
const BEFORE_ITS_NOUN = new RegExp(
  String.raw`^\W*(?:what|which) (?:is|are) (${SUPERLATIVE}) (\p{L}+)(?=\W*$| (?:of|in) )`,
  'iu',
);

interface Frame {
  readonly language: QuestionWords;
  readonly phrases: readonly (readonly [RegExp, string])[];
  readonly words: ReadonlyMap<string, string>;
}

const FRAMES: readonly Frame[] = [GERMAN, FRENCH, SPANISH].map((language) => ({
  language,
  phrases: language.phrases.map(([source, english]) => [
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'giu'),
    english,
  ]),
  words: new Map(
    Object.entries(language.words).flatMap(([english, own]) => own.split(' ').map((word) => [word, english] as const)),
  ),
}));

/**
 * A German, French or Spanish question with the words that frame it (“Wie hoch ist die Summe der”) in English, for the rules here read English; the
 * words of the table stay as they are. A word that is neither stays too, and so has no place in a statement: the question is refused rather
 * than misread. Any other question comes back unchanged.
 */
export function frameInEnglish(question: string): string {
  if (ENGLISH.test(question)) return question;
  const likely = FRAMES.filter(({ language }) => language.asks.test(question))
    .map((frame) => ({ frame, known: knownIn(question, frame) }))
    .toSorted((a, b) => b.known - a.known)[0];
  return likely === undefined || likely.known === 0 ? question : translate(question, likely.frame);
}

function knownIn(question: string, { words }: Frame): number {
  return [...question.toLowerCase().matchAll(/\p{L}+/gu)].filter(([word]) => words.has(word)).length;
}

function translate(question: string, { language, phrases, words }: Frame): string {
  const apart = question.replace(/[¿¡]/gu, '').replace(ELIDED, '$1 ');
  const plain = language.hasDecimalComma ? withPoints(apart) : apart;
  const framed = phrases.reduce((text, [pattern, english]) => text.replace(pattern, english), plain);
  const english = framed.replace(/\p{L}+/gu, (word) => words.get(word.toLowerCase()) ?? word);
  return english.replace(BEHIND_ITS_NOUN, 'which $1 is $2').replace(BEFORE_ITS_NOUN, 'which $2 is $1');
}

/** 1.000,50 is written 1000.50. */
function withPoints(question: string): string {
  return question
    .replace(/(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])/gu, (number) => number.replaceAll('.', ''))
    .replace(/(?<![\d.,])(\d+),(\d{1,2})(?![\d.,])/gu, '$1.$2');
}
