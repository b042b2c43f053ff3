import type { ChatModelDescriptor } from '#libs/ai';
import { ANSWERED_THRESHOLD, asFollowUp, judgeAnswered, type JudgedSource } from '#libs/answering';
import { EVIDENCE_THRESHOLD } from '#libs/ranking';
import type { AnswerMeasure, RetrievalOutcome, RetrievedChunk } from '../../retrieval/index.js';
import type { RefusalCode } from './refusals.js';

/** Decision whether the model is called. */
export interface AnswerDecision {
  /** How far the results answer the question, 0 to 1. */
  readonly answered: number;
  /** The measure that decided, with its minimum. */
  readonly measure: AnswerMeasure;
  /** Why the question is refused; null when the model is called. */
  readonly refusal: Extract<RefusalCode, 'NO_RESULTS' | 'INSUFFICIENT_EVIDENCE'> | null;
  /** Whether meaning answers rather than words: a table answers before it. */
  readonly isMeant: boolean;
  /** Whether meaning decides what is quoted, be there an answer by words as well. */
  readonly quotesMeant: boolean;
}

/**
 * A model that quotes cannot tell whether its quotation is an answer, so `ANSWERED_THRESHOLD` decides for it. A model that writes also
 * understands other words than those of the question and can refuse by itself: it is called unless the results have almost nothing to do with the
 * question (`EVIDENCE_THRESHOLD`).
 * @param asked the last message, where words of earlier ones were searched for, too
 */
export function decideAnswer(
  model: Pick<ChatModelDescriptor, 'kind'>,
  outcome: RetrievalOutcome,
  asked?: string,
): AnswerDecision {
  const { results, evidence } = outcome;
  const question = asked === undefined ? outcome.question : asFollowUp(outcome.question, asked);
  const isQuoting = model.kind === 'extractive';
  const measured = judgeAnswered(question, judgedSourcesOf(outcome), barOf(outcome));
  const answered = results.length === 0 ? 0 : measured.answered;
  const isMeant = isQuoting && measured.isMeant;
  const quotesMeant = isQuoting && measured.quotesMeant;
  const measure: AnswerMeasure = isQuoting
    ? { name: 'answered', value: answered, bar: ANSWERED_THRESHOLD }
    : { name: 'evidence', value: evidence, bar: EVIDENCE_THRESHOLD };
  if (results.length === 0) return { answered, measure, isMeant: false, quotesMeant: false, refusal: 'NO_RESULTS' };
  return {
    answered,
    measure,
    isMeant,
    quotesMeant,
    refusal: measure.value >= measure.bar ? null : 'INSUFFICIENT_EVIDENCE',
  };
}

/** What was found, as it is judged. */
export function judgedSourcesOf({ results, likeness }: Pick<RetrievalOutcome, 'results' | 'likeness'>): JudgedSource[] {
  return results.map((result) => {
    const compared = likeness?.get(result.chunkId);
    const title = [result.documentName, ...result.headingPath].join('\n');
    const { text } = result;
    return compared?.text === text
      ? { text, title, likeness: compared.of, strange: compared.strange }
      : { text, title };
  });
}

/** What was compared of a result; undefined where another text is shown than was compared. */
export function likenessOf(
  likeness: RetrievalOutcome['likeness'],
  { chunkId, text }: Pick<RetrievedChunk, 'chunkId' | 'text'>,
): readonly number[] | undefined {
  const compared = likeness?.get(chunkId);
  return compared?.text === text ? compared.of : undefined;
}

function barOf({ likeness }: Pick<RetrievalOutcome, 'likeness'>): number {
  const [first] = likeness?.values() ?? [];
  return first?.answersFrom ?? Infinity;
}
