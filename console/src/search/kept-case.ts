import type { Schema } from '../api/client';

type Case = Schema<'EvaluationCaseView'>;

/** A question and the passage that answers it, as an evaluation case. The sentence is kept rather than the chunk: it outlives a document that is read again. */
export function caseOf(query: string, documentId: string, sentence: string): Schema<'EvaluationCaseDto'> {
  return { query, relevant: [{ document_id: documentId, text: sentence }] };
}

/** The cases of a set with one more. A question that the set has already is not asked twice: what is relevant is added to it. */
export function withCase(cases: readonly Case[], kept: Schema<'EvaluationCaseDto'>): Schema<'EvaluationCaseDto'>[] {
  const same = cases.find(({ query }) => keyOf(query) === keyOf(kept.query));
  if (same === undefined) return [...cases, kept];
  const relevant = [...(same.relevant ?? []), ...(kept.relevant ?? [])];
  return cases.map((one) => (one === same ? { ...one, answerable: true, relevant } : one));
}

/** How the service tells questions apart. */
const keyOf = (query: string): string => query.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
