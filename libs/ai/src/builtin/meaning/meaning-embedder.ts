import { inTurns, type Steps } from '#libs/common';
import { aiErrors } from '../../ai.errors.js';
import { Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '../../embedder.port.js';
import { estimateUsage } from '../../estimate-usage.js';
import { OnnxThread } from '../../local/onnx-thread.js';
import type { ModelCallOptions } from '../../model-call.js';
import { HASHED_DIMENSIONS, hashText } from '../feature-hashing.js';
import { isEnglish } from './english-guard.js';
import { MEANING_DIMENSIONS, MOST_TOKENS } from './use-lite-network.js';
import { readUseLite, type UseLite } from './use-lite-package.js';

export const MEANING_MODEL = 'meaning-v1';
const DIMENSIONS = HASHED_DIMENSIONS + MEANING_DIMENSIONS;
/** Windows of a text that are read; more of it would cost seconds. */
const MOST_WINDOWS = 64;
/** UTF-16 units that are divided into tokens: far more than this many windows have of any prose. */
const MOST_CHARS = MOST_WINDOWS * MOST_TOKENS * 16;

/**
 * What spelling counts in the cosine of two English texts; the rest is meaning. Meaning alone loses on texts whose words say it all (cranfield
 * 0.2 instead of 0.3 by itself), spelling alone on questions in other words.
 */
const SPELLING_SHARE = 0.35;

/**
 * Spelling by feature hashing, and beside it the meaning of English texts by the Universal Sentence Encoder lite: the cosine of two English
 * texts is the mean of both parts' cosines, that of any others the one of their spelling. No download, no service: the weights
 * come with an optional package.
 */
export class MeaningEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor = {
    provider: 'builtin',
    model: MEANING_MODEL,
    dimensions: DIMENSIONS,
    space: `builtin-${MEANING_MODEL}-${DIMENSIONS}`,
    kind: 'semantic',
    maxBatchSize: 32,
    maxInputTokens: MOST_WINDOWS * MOST_TOKENS,
    knows: ['en'],
    meaningFrom: HASHED_DIMENSIONS,
    answersFrom: 5.7,
    advice: 'meaning of English only; models for other languages: npm run model -- recommend',
  };

  private constructor(
    private readonly tokenizer: UseLite['tokenizer'],
    private readonly thread: OnnxThread,
  ) {
    super();
  }

  /** Reads the weights and proves that they can be computed with. @throws `ai.builtin_meaning_unusable`, `ai.local_runtime_missing` */
  static async load(folder?: string): Promise<MeaningEmbedder> {
    const { tokenizer, model } = await readUseLite(folder);
    const thread = new OnnxThread(model, { provider: 'builtin', model: MEANING_MODEL });
    const dimensions = await thread.open();
    if (dimensions !== MEANING_DIMENSIONS)
      throw aiErrors.builtin_meaning_unusable({ reason: `its network gives vectors of ${dimensions} numbers` });
    return new MeaningEmbedder(tokenizer, thread);
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, options?: ModelCallOptions): Promise<EmbeddedTexts> {
    const max = this.descriptor.maxBatchSize;
    if (texts.length > max) throw aiErrors.batch_too_large({ given: texts.length, max });
    const signal = options?.signal;
    signal?.throwIfAborted();
    const read = await inTurns(this.read(texts), { party: options?.caller?.tenantId, signal });
    const vectors = await Promise.all(
      read.map(async ({ windows, spelling }) => {
        const meanings = windows.map((ids) => this.thread.embedTokens(ids, purpose, options));
        return joined(spelling, meanOf(await Promise.all(meanings)));
      }),
    );
    return { vectors, usage: estimateUsage(texts) };
  }

  /** Lets go of the model; a later call loads it again. */
  async close(): Promise<void> {
    await this.thread.close();
  }

  private *read(texts: readonly string[]): Steps<{ readonly windows: number[][]; readonly spelling: Float32Array }[]> {
    const all: { readonly windows: number[][]; readonly spelling: Float32Array }[] = [];
    for (const text of texts) {
      const read = text.slice(0, MOST_CHARS);
      const windows = this.windowsOf(read);
      yield;
      all.push({ windows, spelling: hashText(read) });
      yield;
    }
    return all;
  }

  /** Tokens as the network reads them, in windows of like length; none of a text whose meaning it does not know. */
  private windowsOf(text: string): number[][] {
    const ids = this.tokenizer.encode(text);
    if (!isEnglish(text, ids)) return [];
    const read = ids.slice(0, MOST_WINDOWS * MOST_TOKENS);
    const count = Math.ceil(read.length / MOST_TOKENS);
    const edge = (at: number): number => Math.round((at * read.length) / count);
    return Array.from({ length: count }, (_, at) => read.slice(edge(at), edge(at + 1)));
  }
}

/** The mean, of length 1, summed in a fixed order and in double precision; of none null. */
function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  if (vectors.length === 1) return first;
  const sum = new Float64Array(MEANING_DIMENSIONS);
  for (const vector of vectors) vector.forEach((value, at) => (sum[at]! += value));
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => value / length);
}

/** One vector of length 1 of both parts; the second one is zeros where the meaning is not known. */
function joined(spelling: Float32Array, meaning: Float32Array | null): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const [first, second] = meaning === null ? [1, 0] : [Math.sqrt(SPELLING_SHARE), Math.sqrt(1 - SPELLING_SHARE)];
  spelling.forEach((value, at) => (vector[at] = first * value));
  meaning?.forEach((value, at) => (vector[HASHED_DIMENSIONS + at] = second * value));
  return vector;
}
