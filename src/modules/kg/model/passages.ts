import { createHash } from 'node:crypto';
import type { ExtractedChunk } from '../graphs/kg-rows.js';

/** UTF-16 code units of one passage at most: a longer chunk is read in several. */
export const PASSAGE_CHARS = 6_000;
/** How far back from there a passage may end at white space. */
const BORDER_CHARS = 400;

/** What a chat model is shown at once: a chunk, or a part of a long one. */
export interface Passage {
  readonly chunk: ExtractedChunk;
  /** Where it begins in the canonical text, in UTF-16 code units. */
  readonly start: number;
  readonly text: string;
  /** Hash of the headings and the text, which the model is shown together with its rules. */
  readonly hash: Buffer;
}

/** The passages of a chunk, in their order. The same chunk gives the same ones. */
export function passagesOf(chunk: ExtractedChunk): Passage[] {
  const passages: Passage[] = [];
  for (let from = 0; from < chunk.text.length;) {
    const to = endOf(chunk.text, from);
    const text = chunk.text.slice(from, to);
    if (/[\p{L}\p{N}]/u.test(text)) {
      const hash = createHash('sha256')
        .update(JSON.stringify([chunk.headingPath, text]))
        .digest();
      passages.push({ chunk, start: chunk.start + from, text, hash });
    }
    from = to;
  }
  return passages;
}

/** Behind white space where there is some near the bound, and never inside a pair of surrogates. */
function endOf(text: string, from: number): number {
  const most = from + PASSAGE_CHARS;
  if (most >= text.length) return text.length;
  const tail = text.slice(most - BORDER_CHARS, most);
  const space = /.*\s/su.exec(tail)?.[0].length ?? 0;
  if (space > 0) return most - BORDER_CHARS + space;
  return /[\uDC00-\uDFFF]/.test(text[most]!) ? most - 1 : most;
}
