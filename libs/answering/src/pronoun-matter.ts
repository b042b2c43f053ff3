import { pointsBack } from './condense.js';
import { frameWeight } from './frame-words.js';
import type { Term } from './overlap.js';
import { TIMES } from './question-profile.js';
import { isHeading } from './sentence-choice.js';
import type { ReadSource } from './source-reader.js';

/** What was written last, with the terms that it was completed to. */
interface Follower {
  readonly terms: readonly Term[];
  /** For each term whether what was written last holds it. */
  readonly isOwn: readonly boolean[];
  readonly asked: string | undefined;
}

/**
 * Of a question that takes up what was spoken of with a pronoun (“when does it come?”) the statements that hold something of it, or stand in a paragraph or
 * below a heading that does: not that the technician comes on Monday, where the planer was spoken of. None where the best statement holds nothing of it: then what
 * is asked is told of something else.
 */
export function withoutOtherMatter<
  T extends { readonly score: number; readonly sourceIndex: number; readonly sentenceIndex: number },
>(
  candidates: readonly T[],
  { terms, isOwn, asked }: Follower,
  read: readonly Pick<ReadSource, 'text' | 'sentences' | 'title'>[],
): T[] {
  const carried = terms.flatMap(({ form, sort }, at) =>
    !isOwn[at]! && sort === 'word' && frameWeight(form) === 1 && !TIMES.test(form) ? [at] : [],
  );
  if (asked === undefined || carried.length === 0 || !pointsBack(asked)) return [...candidates];
  const left = candidates.filter(({ sourceIndex, sentenceIndex }) => {
    const { text, sentences, title } = read[sourceIndex]!;
    const paragraph = text.lastIndexOf('\n\n', sentences[sentenceIndex]!.start);
    const before = sentences.slice(0, sentenceIndex);
    // A heading with its number is read as an item.
    const heading = before.findLastIndex((one) =>
      isHeading(text, one.kind === 'item' ? { ...one, kind: 'sentence' } : one),
    );
    const near = sentences.filter(
      ({ start }, at) => at === heading || (at > heading && start > paragraph && at <= sentenceIndex + 1),
    );
    return carried.some((at) => title[at]! > 0 || near.some(({ matches }) => matches[at]! > 0));
  });
  const most = Math.max(0, ...left.map(({ score }) => score));
  return candidates.some(({ score }) => score > most) ? [] : left;
}
