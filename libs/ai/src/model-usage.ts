import type { ModelUsage } from './model-call.js';

/** What costs nothing: no call was made. */
export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, requests: 0, isEstimated: false };

/** Whether a provider's number can be counted: some report fractions, null or nothing. */
export function isTokenCount(figure: unknown): figure is number {
  return Number.isSafeInteger(figure) && (figure as number) >= 0;
}

export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    requests: a.requests + b.requests,
    isEstimated: a.isEstimated || b.isEstimated,
  };
}
