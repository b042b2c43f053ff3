import { countTokens } from '#libs/text';
import type { FinishReason } from '../turn/chat-completion.dto.js';

/** Pieces that an answer is cut at when it may have only this many tokens. */
const PIECE = /\s*(?:\[\d+\]|(?:(?!\[\d+\])\S){1,24})|\s+$/gu;

/** A text that is there as a whole, as a stream gives it out. */
export function piecesOf(content: string): string[] {
  return [...content.matchAll(PIECE)].map(([piece]) => piece);
}

/** The answer up to the first text that is to end it, and with this many tokens at most. */
export function cutAnswer(
  whole: string,
  stops: readonly string[],
  maxTokens: number | undefined,
): { readonly content: string; readonly finishReason: FinishReason } {
  const ends = stops.map((stop) => whole.indexOf(stop)).filter((at) => at >= 0);
  const content = whole.slice(0, Math.min(whole.length, ...ends));
  if (maxTokens === undefined || countTokens(content) <= maxTokens) return { content, finishReason: 'stop' };
  let written = '';
  for (const [piece] of content.matchAll(PIECE)) {
    if (countTokens(written + piece) > maxTokens) break;
    written += piece;
  }
  return { content: written, finishReason: 'length' };
}
