import type { ReadSentence, ReadSource } from './source-reader.js';

/** What a text holds less than this far is lacking. */
const HELD = 0.4;

/**
 * Whether a line that names a value tells of another one of its kind: “Visitor network: …” where “Crew network: …” is there and the question names both
 * words. The label says what the line is about.
 */
export function isOfOtherField({ sentences, text }: Pick<ReadSource, 'sentences' | 'text'>, at: number): boolean {
  const own = inLabel(sentences[at]!, text);
  if (own.size === 0) return false;
  return sentences.some((other, place) => {
    if (place === at || !other.isField) return false;
    const held = inLabel(other, text);
    return held.size > own.size && [...own].every((term) => held.has(term));
  });
}

/** Lines that name a value of another one of the kind that is asked about are left out where anything else is left. */
export function withoutOtherFields<T extends { readonly sourceIndex: number; readonly sentenceIndex: number }>(
  candidates: readonly T[],
  read: readonly ReadSource[],
): T[] {
  const others = candidates.filter(({ sourceIndex, sentenceIndex }) => {
    const source = read[sourceIndex]!;
    return !source.sentences[sentenceIndex]!.isField || !isOfOtherField(source, sentenceIndex);
  });
  return others.length === 0 ? [...candidates] : others;
}

/** Terms of the question that the label of a field holds. */
function inLabel({ start, end, hits, matches }: ReadSentence, text: string): ReadonlySet<number> {
  const [label = ''] = text.slice(start, end).split(':', 1);
  const words = label.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  return new Set(hits.flatMap(({ term, at }) => (at < words && matches[term]! >= HELD ? [term] : [])));
}
