import { countTokens } from '#libs/text';
import type { ModelUsage } from './model-call.js';

/** The usage of a call whose provider tells none, or that is computed in this process. */
export function estimateUsage(
  read: readonly string[],
  { written = '', requests = 1 }: { readonly written?: string; readonly requests?: number } = {},
): ModelUsage {
  const inputTokens = read.reduce((sum, text) => sum + countTokens(text), 0);
  return { inputTokens, outputTokens: countTokens(written), requests, isEstimated: true };
}

/**
 * Maximum number of tokens of a text in any common tokeniser: one per two bytes of UTF-8. English has one per four, Chinese, Japanese and Thai
 * one per two to three. The estimate is for reservations; the usage is what the provider reports.
 */
const BYTES_PER_TOKEN = 2;
/** Roles, delimiters and the like around a text. */
const TOKENS_AROUND = 16;

/** Tokens that texts have at most, each with what is around it. */
export function mostTokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + TOKENS_AROUND + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0);
}
