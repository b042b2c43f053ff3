import type { LayoutBlock } from '@llamaindex/liteparse';

/** How a sentence goes on upon the next page. */
export interface SentenceJoin {
  /** What is between its two parts. */
  readonly gap: ' ' | '';
  /** The rest of a word that was divided, which belongs to the first part. */
  readonly rest: string;
}

/** The end of a sentence, of an introduction or of an enumeration. */
const ENDED = /[.!?:;…。！？：；][\s"'”’»«)\]）」』]*$/u;
const DIVIDED = /\p{L}[-\u00ad\u2010]$/u;
const FIRST_WORD = /^[\p{L}\p{M}\p{N}'’-]+[,.;:!?)\]"”»]*/u;
const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Words of a line that is a sentence and no title or label. */
const LEAST_WORDS = 4;

/**
 * Whether the first paragraph of a page goes on with the sentence at the end of the page before: that ends nowhere, and the paragraph begins with
 * a small letter, or the last word before it is one that no title ends with.
 */
export function joinOf(last: LayoutBlock | undefined, first: LayoutBlock | undefined): SentenceJoin | undefined {
  if (last === undefined || first?.kind !== 'paragraph') return undefined;
  if (last.kind !== 'paragraph' && last.kind !== 'list_item') return undefined;
  const [above, below] = [(last.text ?? '').trimEnd(), (first.text ?? '').trimStart()];
  if (above === '' || below === '' || ENDED.test(above)) return undefined;
  if (EASTERN.test(above.at(-1)!) && EASTERN.test(below[0]!)) return { gap: '', rest: '' };
  if (above.split(/\s+/).length < LEAST_WORDS) return undefined;
  const isSmall = /^\p{Ll}/u.test(below);
  if (DIVIDED.test(above) && isSmall) return { gap: ' ', rest: FIRST_WORD.exec(below)?.[0] ?? '' };
  return isSmall || /\s\p{Ll}{2,}$|,$/u.test(above) ? { gap: ' ', rest: '' } : undefined;
}

/** The last paragraph of a page with the rest of its divided word. */
export function withRest(block: LayoutBlock, { rest }: SentenceJoin): LayoutBlock {
  if (rest === '') return block;
  return { ...block, text: `${(block.text ?? '').trimEnd().slice(0, -1)}${rest}` };
}

/** The first paragraph of a page without it. */
export function withoutRest(block: LayoutBlock, { rest }: SentenceJoin): LayoutBlock {
  return rest === '' ? block : { ...block, text: (block.text ?? '').trimStart().slice(rest.length).trimStart() };
}
