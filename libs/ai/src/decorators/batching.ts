import { countTokens } from '#libs/text';
import { aiErrors } from '../ai.errors.js';
import type { EmbeddedTexts, Embedder } from '../embedder.port.js';
import { addUsage, NO_USAGE } from '../model-usage.js';
import { replaceMethods } from './model-guard.js';

/**
 * Divides the texts of a call into as few requests as the provider's limit on tokens allows, one after the other. A text that is
 * longer than the limit goes alone. The number of texts stays the caller's to keep, as the port says.
 */
export function batchEmbedder(inner: Embedder): Embedder {
  const { maxBatchTokens: maxTokens } = inner.descriptor;
  if (maxTokens === undefined) return inner;
  const embed: Embedder['embed'] = async (texts, purpose, options) => {
    const { maxBatchSize, maxInputTokens } = inner.descriptor;
    if (texts.length > maxBatchSize) throw aiErrors.batch_too_large({ given: texts.length, max: maxBatchSize });
    const batches = divide(texts, maxTokens, (text) => Math.min(countTokens(text), maxInputTokens));
    if (batches.length <= 1) return inner.embed(texts, purpose, options);
    const vectors: Float32Array[] = [];
    let usage = NO_USAGE;
    for (const batch of batches) {
      const embedded: EmbeddedTexts = await inner.embed(batch, purpose, options);
      vectors.push(...embedded.vectors);
      usage = addUsage(usage, embedded.usage);
    }
    return { vectors, usage };
  };
  return replaceMethods(inner, { embed });
}

function divide(texts: readonly string[], limit: number, tokensOf: (text: string) => number): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const tokens = tokensOf(text);
    const last = batches.at(-1);
    if (last === undefined || tokens > room) {
      batches.push([text]);
      room = limit - tokens;
    } else {
      last.push(text);
      room -= tokens;
    }
  }
  return batches;
}
