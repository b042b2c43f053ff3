/**
 * The words of a question as they stand in it. An index also keeps stems (“gearbox”, “telescop”, “batteri”), which nobody has written: one is left
 * out beside the word that begins as it does, but for its last letter.
 */
export function writtenTerms<Term extends { readonly term: string }>(
  terms: readonly Term[],
  question: string,
): readonly Term[] {
  const written = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const isStem = ({ term }: Term): boolean =>
    !written.has(term) &&
    terms.some((other) => other.term !== term && written.has(other.term) && beginsAs(other.term, term));
  return terms.filter((term) => !isStem(term));
}

/** Stems end in a letter of their own (“batteri” of “battery”) or end early. */
const SHORTEST_SHARED = 3;

function beginsAs(word: string, stem: string): boolean {
  const shared = stem.slice(0, -1);
  return word.startsWith(stem) || (shared.length >= SHORTEST_SHARED && word.startsWith(shared));
}
