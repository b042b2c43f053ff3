/**
 * The words of a question as they stand in it. An index also keeps stems (“gearbox”, “telescop”), which nobody has written: one is left out beside
 * the word that it is the beginning of.
 */
export function writtenTerms<Term extends { readonly term: string }>(
  terms: readonly Term[],
  question: string,
): readonly Term[] {
  const written = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const isStem = ({ term }: Term): boolean =>
    !written.has(term) &&
    terms.some((other) => other.term !== term && written.has(other.term) && other.term.startsWith(term));
  return terms.filter((term) => !isStem(term));
}
