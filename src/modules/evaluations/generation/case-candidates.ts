import { detectLanguage, splitSentences } from '#libs/text';
import { makeQuestion } from './questions/make-question.js';
import { toNormalForm } from '#libs/common';
import type { EvaluationCase } from '../cases/evaluation-case.js';

/** A question that a sentence of a document answers. */
export interface CaseCandidate {
  readonly documentId: string;
  readonly question: string;
  readonly answer: string;
  /** The sentence, or what of the document holds the answer. */
  readonly evidence: string;
  readonly language: string;
}

/** The questions that rules make of the sentences of a text, in their order. */
export function candidatesByRules(documentId: string, text: string): CaseCandidate[] {
  const { language } = detectLanguage(text);
  return splitSentences(text).flatMap(({ start, end }) => {
    const evidence = text.slice(start, end);
    const made = makeQuestion(evidence, language);
    return made === undefined ? [] : [{ documentId, ...made, evidence, language }];
  });
}

/** A case that is not yet approved. */
export function toCase(
  { documentId, question, answer, evidence, language }: CaseCandidate,
  answerable: boolean,
): EvaluationCase {
  return {
    query: question,
    relevant: answerable ? [{ text: evidence }] : [],
    expected_answer: answerable ? answer : null,
    answerable,
    tags: [language],
    generated: true,
    approved: false,
    source_document_id: documentId,
  };
}

/** Keys of a candidate; candidates that share a key ask the same. */
export function keysOf({ query, relevant }: EvaluationCase): string[] {
  return [query, ...relevant.flatMap(({ text }) => (text === undefined ? [] : [text]))].map(folded);
}

const COVERED_SHARE = 0.6;

/** Whether a text may answer a question that was made of another one: it holds most words of the evidence, or the answer beside some of them. */
export function isCovered({ evidence, answer }: CaseCandidate, text: string): boolean {
  const terms = termsOf(evidence);
  const inText = folded(text);
  const share = terms.filter((term) => inText.includes(term)).length / Math.max(1, terms.length);
  return share >= COVERED_SHARE || (share >= COVERED_SHARE / 2 && inText.includes(folded(answer)));
}

/** Words of four letters or more and numbers; pairs of letters where words are not spaced. */
function termsOf(text: string): string[] {
  const words = folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (/\p{Script=Han}/u.test(word)) return [...word].slice(1).map((sign, at) => [...word][at]! + sign);
    return word.length >= 4 || /\d/u.test(word) ? [word] : [];
  });
}

function folded(text: string): string {
  return toNormalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();
}
