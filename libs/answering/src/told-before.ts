import { frameWeight } from './frame-words.js';
import { contentFormsOf } from './question-profile.js';
import type { Term } from './overlap.js';
import type { ReadSentence } from './source-reader.js';

/** A statement that may be quoted. */
interface Quotable {
  readonly quote: string;
  readonly score: number;
  readonly sentence: ReadSentence;
}

/** What was said before a question. */
export interface SaidBefore {
  /** The last message, where the question completes it. */
  readonly asked?: string;
  /** Earlier answers. */
  readonly told?: readonly string[];
}

/** What is left has at least this share of the score of what was told, else nothing else answers. */
const LEAST_LEFT = 0.6;

/**
 * Whether an earlier answer told a statement already that holds none of the follow-up's own words: “who follows him?” does not ask again who retires.
 * Never where the follow-up has no words of its own (“since when?”).
 */
export function toldTest(
  terms: readonly Pick<Term, 'form'>[],
  { asked, told = [] }: SaidBefore,
): (one: Pick<Quotable, 'quote' | 'sentence'>) => boolean {
  if (asked === undefined || told.length === 0) return () => false;
  const forms = contentFormsOf(asked);
  const isOwn = terms.map(({ form }) => forms.has(form) && frameWeight(form) === 1);
  if (!isOwn.includes(true)) return () => false;
  return ({ quote, sentence: { matches } }) =>
    wasTold(quote, told) && matches.every((match, at) => match === 0 || !isOwn[at]!);
}

/** Leaves out what was told, unless nothing else comes near it. */
export function withoutTold<T extends Quotable>(candidates: readonly T[], isTold: (one: T) => boolean): T[] {
  const left = candidates.filter((one) => !isTold(one));
  return bestOf(left) < LEAST_LEFT * bestOf(candidates) ? [...candidates] : left;
}

const bestOf = (candidates: readonly Quotable[]): number => Math.max(0, ...candidates.map(({ score }) => score));

/** Whether an earlier answer quotes this. */
export function wasTold(quote: string, told: readonly string[]): boolean {
  return told.some((answer) => onOneLine(answer).includes(onOneLine(quote)));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
