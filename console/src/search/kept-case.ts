interface Relevant {
  readonly document_id?: string;
  readonly chunk_id?: string;
  readonly text?: string;
}

/** An evaluation case, as far as this page makes and changes it. */
export interface KeptCase {
  readonly query: string;
  readonly relevant?: Relevant[];
  readonly expected_answer?: string | null;
  readonly answerable?: boolean;
  readonly tags?: string[];
}

/** A question and the passage that answers it, as an evaluation case. The sentence is kept rather than the chunk: it outlives a document that is read again. */
export function caseOf(query: string, documentId: string, sentence: string): KeptCase {
  return { query, relevant: [{ document_id: documentId, text: sentence }] };
}

/** The cases of a set with one more. A question that the set has already is not asked twice: what is relevant is added to it. */
export function withCase(cases: readonly KeptCase[], kept: KeptCase): KeptCase[] {
  const same = cases.find(({ query }) => keyOf(query) === keyOf(kept.query));
  if (same === undefined) return [...cases, kept];
  const relevant = [...(same.relevant ?? []), ...(kept.relevant ?? [])];
  const answer = kept.expected_answer ?? same.expected_answer ?? null;
  const joined =
    kept.answerable === false
      ? { ...same, answerable: false, relevant: [] }
      : { ...same, answerable: true, relevant, expected_answer: answer };
  return cases.map((one) => (one === same ? joined : one));
}

/** Whether a case says what should come of its question: a passage, an answer, or that there is none. */
export function isComplete({ relevant = [], expected_answer: answer, answerable }: KeptCase): boolean {
  return relevant.length > 0 || (answer ?? '').trim() !== '' || answerable === false;
}

/** How the service tells questions apart. */
const keyOf = (query: string): string => query.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
