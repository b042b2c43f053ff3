import type { ChatModelDescriptor } from '#libs/ai';
import { ANSWERED_THRESHOLD, EVIDENCE_THRESHOLD, measureAnswered } from '#libs/text';
import type { RetrievalOutcome } from '../retrieval/index.js';
import type { RefusalCode } from './refusals.js';

/** Whether the model is asked at all. */
export interface AnswerDecision {
  /** How far the results answer the question, 0 to 1. */
  readonly answered: number;
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
  if (results.length === 0) return { answered: 0, refusal: 'NO_RESULTS' };
  const sources = results.map(({ text, documentName, headingPath }) => ({
    text,
    title: [documentName, ...headingPath].join('\n'),
  }));
  const answered = measureAnswered(question, sources);
  const isEnough = model.kind === 'extractive' ? answered >= ANSWERED_THRESHOLD : evidence >= EVIDENCE_THRESHOLD;
  return { answered, refusal: isEnough ? null : 'INSUFFICIENT_EVIDENCE' };
}
