import type { LayoutBlock } from '@llamaindex/liteparse';
import { joinOfParts } from '../../hyphens/divided-word.js';
import type { WordCounts } from '../../hyphens/word-counts.js';

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
const LAST_PART = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)*$/u;
const FIRST_WORD = /^[\p{L}\p{M}\p{N}'’-]+[,.;:!?)\]"”»]*/u;
const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Longer parts of words are none. */
const MAX_PART_UNITS = 100;
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
  if (DIVIDED.test(above) && /^\p{Lu}/u.test(below)) return { gap: '', rest: '' };
  if (DIVIDED.test(above) && isSmall) return { gap: ' ', rest: FIRST_WORD.exec(below)?.[0] ?? '' };
  return isSmall || /\s\p{Ll}{2,}$|,$/u.test(above) ? { gap: ' ', rest: '' } : undefined;
}

/** The last paragraph of a page with the rest of its divided word. */
export function withRest(block: LayoutBlock, { rest }: SentenceJoin, words: WordCounts): LayoutBlock {
  if (rest === '') return block;
  const whole = (block.text ?? '').trimEnd();
  const text = whole.slice(0, -1);
  if (whole.endsWith('\u00ad')) return { ...block, text: text + rest };
  const before = LAST_PART.exec(text.slice(-MAX_PART_UNITS))?.[0] ?? '';
  const behind = rest.replace(/[^\p{L}\p{N}]+$/u, '');
  return { ...block, text: `${text}${joinOfParts(before, behind, words)}${rest}` };
}

/** The first paragraph of a page without it. */
export function withoutRest(block: LayoutBlock, { rest }: SentenceJoin): LayoutBlock {
  return rest === '' ? block : { ...block, text: (block.text ?? '').trimStart().slice(rest.length).trimStart() };
}
