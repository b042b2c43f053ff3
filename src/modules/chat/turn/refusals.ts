import { stripMarkers, type Missing } from '#libs/answering';
import type { NextStep } from './next-steps.service.js';
import { ENGLISH, REFUSAL_SENTENCES, type RefusalSentences } from './refusal-sentences.js';

/** Stable codes of reasons for a refusal. */
export const REFUSAL_CODES = ['NO_RESULTS', 'INSUFFICIENT_EVIDENCE', 'NOT_ANSWERED', 'UNGROUNDED'] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Inputs of the text of a refusal. */
export interface RefusalFacts {
  readonly code: RefusalCode;
  /** Language of the question; English where it is unknown or nothing is written in it. */
  readonly language: string;
  /** What was searched for. */
  readonly query: string;
  /** Null where passages were found that answer, but no answer was written from them. */
  readonly missing: Missing | null;
  readonly nextStep: NextStep | null;
}

/** Maximum number of characters of the searched question in the text. */
const MOST_QUERY = 120;
/** Maximum number of missing words that are named. */
const MOST_NAMED = 3;
/** Languages that put nothing between sentences. */
const UNSPACED: ReadonlySet<string> = new Set(['zh', 'ja']);

/**
 * The text of a refusal: that there is no answer, what was searched for, what is missing, and a tried change that helps.
 * @param escape makes words of the question text that no renderer makes more of.
 */
export function refusalText(facts: RefusalFacts, escape: (text: string) => string): string {
  const { code, language, query, missing, nextStep } = facts;
  const sentences = REFUSAL_SENTENCES.get(language) ?? ENGLISH;
  if (code === 'UNGROUNDED') return sentences.ungrounded;
  const parts = [sentences.absent, fill(sentences.lookedFor, escape(shortened(query)))];
  if (missing !== null) parts.push(missingText(missing, sentences, escape));
  if (nextStep !== null) parts.push(sentences.step[nextStep.kind]);
  return parts.join(UNSPACED.has(language) ? '' : ' ');
}

function missingText({ kind, words }: Missing, sentences: RefusalSentences, escape: (text: string) => string): string {
  if (kind === 'nothing_alike') return sentences.nothing;
  if (kind === 'too_weak') return sentences.weak;
  const named = words.slice(0, MOST_NAMED).map(escape);
  return named.length === 0 ? sentences.anotherOne : fill(sentences.another, named.join(', '));
}

function fill(sentence: string, words: string): string {
  return sentence.replace('{}', () => words);
}

/** In one line, without half of a surrogate pair at its end. */
function shortened(text: string): string {
  const line = stripMarkers(text).replace(/\s+/gu, ' ').trim();
  return line.length <= MOST_QUERY ? line : `${line.slice(0, MOST_QUERY).replace(/[\ud800-\udbff]$/, '')}…`;
}
