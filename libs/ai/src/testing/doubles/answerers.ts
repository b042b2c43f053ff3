import { splitSentences } from '#libs/text';
import { NOT_ANSWERED } from '../../prompt/source-prompt.js';
import type { DoubleSource } from './double-answers.js';

/**
 * How a double answers questions over sources. `well`: the sentence that holds the answer, cited, and it declines where none does.
 * `invents`: the same sentence with another number, another name or the contrary, cited. `ignores`: from nowhere, without markers.
 * `foreign`: right, cited, in another language.
 */
export const ANSWERER_KINDS = ['well', 'invents', 'ignores', 'foreign'] as const;
export type AnswererKind = (typeof ANSWERER_KINDS)[number];

/** What a double knows of a question. */
export interface KnownAnswer {
  /** The question, as it is written in the last message. */
  readonly question: string;
  /** Strings of which the sentence that answers holds one; empty where no source answers. */
  readonly holds: readonly string[];
  /** What `invents` says, without a marker; where it is left out, the sentence that answers with another number, or the contrary. */
  readonly invented?: string;
  /** What `foreign` says, without a marker; it declines where this is left out. */
  readonly foreign?: string;
}

/** A way of answering, and what is known of the questions. */
export interface Answerer {
  readonly kind: AnswererKind;
  readonly answers: readonly KnownAnswer[];
}

/** Plausible, and of no source. */
const FROM_NOWHERE =
  'Most organisations settle such matters in a works agreement, and the usual practice of the trade applies to everything else.';

/** The answer to a question, with its marker; `NOT_ANSWERED` where the double declines. */
export function answerLike({ kind, answers }: Answerer, question: string, sources: readonly DoubleSource[]): string {
  if (kind === 'ignores') return FROM_NOWHERE;
  const known = answers.find((one) => one.question.trim() === question.trim());
  const found = known === undefined ? undefined : findAnswer(known, sources);
  switch (kind) {
    case 'well':
      return found === undefined ? NOT_ANSWERED : `${found.text} [${found.number}]`;
    case 'foreign':
      return found === undefined || known?.foreign === undefined ? NOT_ANSWERED : `${known.foreign} [${found.number}]`;
    case 'invents': {
      const spoilt = known?.invented ?? spoil(found?.text ?? firstSentence(sources));
      return `${spoilt} [${found?.number ?? sources[0]!.number}]`;
    }
  }
}

/** Documents with what `foreign` says of them: what a multilingual model sees in them. */
export function asReadInAllLanguages({ kind, answers }: Answerer, documents: readonly string[]): string[] {
  if (kind !== 'foreign') return [...documents];
  return documents.map((text) => {
    const said = answers.filter(({ holds }) => holds.some((part) => holdsPart(text, part))).map((one) => one.foreign);
    return [text, ...said].join('\n');
  });
}

/** The first sentence that holds an accepted string; only a source that the prompt holds can answer. */
function findAnswer({ holds }: KnownAnswer, sources: readonly DoubleSource[]): DoubleSource | undefined {
  for (const part of holds) {
    for (const { number, text } of sources) {
      const sentence = sentencesOf(text).find((one) => holdsPart(one, part));
      if (sentence !== undefined) return { number, text: sentence };
    }
  }
  return undefined;
}

function holdsPart(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function firstSentence(sources: readonly DoubleSource[]): string {
  return sentencesOf(sources[0]!.text)[0] ?? sources[0]!.text;
}

function sentencesOf(text: string): string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end).replace(/^#.*\n+/, ''));
}

/** Another number, or another name behind the first word, or the contrary. */
function spoil(sentence: string): string {
  if (/\d/.test(sentence)) return sentence.replace(/\d+/, (number) => String(Number(number) + 3));
  const named = sentence.replace(/(?<=\s(?:in|of|by|von|bei|Frau|Herr) )\p{Lu}\p{L}+/u, 'Vellburg');
  if (named !== sentence) return named;
  if (/(?<!\p{L})not /u.test(sentence)) return sentence.replace('not ', '');
  return sentence.replace(/(?<!\p{L})(is|are|must|may|can|ist|sind|muss|darf|wird|werden)(?!\p{L})/u, '$1 not');
}
