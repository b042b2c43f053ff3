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
