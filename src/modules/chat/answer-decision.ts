import type { ChatModelDescriptor } from '#libs/ai';
import { ANSWERED_THRESHOLD, EVIDENCE_THRESHOLD, measureAnswered, type JudgedSource } from '#libs/text';
import type { AnswerMeasure, RetrievalOutcome } from '../retrieval/index.js';
import type { RefusalCode } from './refusals.js';

/** Whether the model is asked at all. */
export interface AnswerDecision {
  /** How far the results answer the question, 0 to 1. */
  readonly answered: number;
  /** What decided, and the bar that it had to reach. */
  readonly measure: AnswerMeasure;
  /** Why the question is refused; null when the model is asked. */
  readonly refusal: Extract<RefusalCode, 'NO_RESULTS' | 'INSUFFICIENT_EVIDENCE'> | null;
}

/**
 * A model that quotes cannot tell whether what it quotes is an answer, so `ANSWERED_THRESHOLD` decides for it. A model that
 * writes understands other words than the question's and can refuse by itself: it is asked unless the results have next to
 * nothing to do with the question (`EVIDENCE_THRESHOLD`).
 */
export function decideAnswer(model: Pick<ChatModelDescriptor, 'kind'>, outcome: RetrievalOutcome): AnswerDecision {
  const { results, evidence, question } = outcome;
  const isQuoting = model.kind === 'extractive';
  const answered = results.length === 0 ? 0 : measureAnswered(question, judgedSourcesOf(outcome));
  const measure: AnswerMeasure = isQuoting
    ? { name: 'answered', value: answered, bar: ANSWERED_THRESHOLD }
    : { name: 'evidence', value: evidence, bar: EVIDENCE_THRESHOLD };
  if (results.length === 0) return { answered, measure, refusal: 'NO_RESULTS' };
  return { answered, measure, refusal: measure.value >= measure.bar ? null : 'INSUFFICIENT_EVIDENCE' };
}

/** What was found, as it is judged. */
export function judgedSourcesOf({ results }: Pick<RetrievalOutcome, 'results'>): JudgedSource[] {
  return results.map(({ text, documentName, headingPath }) => ({
    text,
    title: [documentName, ...headingPath].join('\n'),
  }));
}
