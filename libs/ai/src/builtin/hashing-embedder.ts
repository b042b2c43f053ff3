import { inTurns, mapSteps } from '#libs/common';
import { aiErrors } from '../ai.errors.js';
import { Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '../embedder.port.js';
import type { ModelCallOptions } from '../model-call.js';
import { estimateUsage } from '../estimate-usage.js';
import { HASHED_DIMENSIONS, hashText } from './feature-hashing.js';

const MAX_INPUT_TOKENS = 32_768;
/** A token is counted as four UTF-16 units here; more of a text is not read, so that one text costs bounded time. */
const MAX_INPUT_CHARS = MAX_INPUT_TOKENS * 4;

const DESCRIPTOR: EmbedderDescriptor = {
  provider: 'builtin',
  model: 'hashing-v1',
  dimensions: HASHED_DIMENSIONS,
  space: `builtin-hashing-v1-${HASHED_DIMENSIONS}`,
  kind: 'hashed',
  maxBatchSize: 256,
  maxInputTokens: MAX_INPUT_TOKENS,
  advice: 'spelling only; models that know meaning: npm run model -- recommend',
};

/**
 * Feature hashing: a vector of the words and pieces of words of a text. It knows spelling, not meaning: inflected and compound
 * words meet, synonyms do not. It needs no download and no network, and is shown as what it is (`kind: 'hashed'`).
 */
export class HashingEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor;

  /** `insteadOf`: why it is here for a model that knows meaning. */
  constructor(insteadOf?: string) {
    super();
    this.descriptor = { ...DESCRIPTOR, ...(insteadOf === undefined ? {} : { insteadOf }) };
  }

  /** The purpose makes no difference: question and passage are hashed alike. */
  async embed(
    texts: readonly string[],
    _purpose: EmbeddingPurpose,
    options?: ModelCallOptions,
  ): Promise<EmbeddedTexts> {
    const max = this.descriptor.maxBatchSize;
    if (texts.length > max) throw aiErrors.batch_too_large({ given: texts.length, max });
    const turns = { party: options?.caller?.tenantId, signal: options?.signal };
    return { vectors: await inTurns(mapSteps(texts, hashStart), turns), usage: estimateUsage(texts) };
  }
}

function hashStart(text: string): Float32Array {
  return hashText(text.slice(0, MAX_INPUT_CHARS));
}
