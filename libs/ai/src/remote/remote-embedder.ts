import { createHash } from 'node:crypto';
import { aiErrors } from '../ai.errors.js';
import { Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '../embedder.port.js';
import { estimateUsage } from '../estimate-usage.js';
import type { ModelCallOptions, ModelUsage } from '../model-call.js';
import { ModelFailure } from '../model-failure.js';
import { isTokenCount } from '../model-usage.js';
import { prefixesOfFamily, type Prefixes } from '../prefix-families.js';
import { cutToTokens } from './cut-text.js';
import { blankVector, isBlank, unitVectors } from './embedding-answer.js';
import { findKnownEmbeddingModel } from './known-models.js';
import { RemoteCall, usable, type ReadError, type RemoteModel } from './remote-call.js';

/** How long the start waits for a model that has to tell the length of its vectors. */
const PROBE_MS = 10_000;
const FALLBACK_MAX_TOKENS = 8_191;

/** Settings of a remote embedding model. */
export interface RemoteEmbeddingOptions {
  /** 0: what is known of the model, else what it answers. */
  readonly dimensions: number;
  /** `auto`: where the model is known to shorten its vectors, and another length than its own is set. */
  readonly sendsDimensions: 'auto' | 'true' | 'false';
  readonly batchSize: number;
  /** Tokens of all texts of one request together, where the provider has such a limit. */
  readonly maxBatchTokens?: number;
  /** 0: what is known of the model. */
  readonly maxTokens: number;
  /** Where both are empty, what the model's family is known to want. */
  readonly prefixes: Prefixes;
}

/** The parts of one adapter: its request and the conversion of its SDK's errors. */
export interface EmbeddingRequests {
  readonly readError: ReadError;
  /** The vectors as they came, in the order of the texts; `dimensions` is null where the model's own length is wanted. */
  send(
    call: RemoteCall,
    texts: readonly string[],
    how: { readonly purpose: EmbeddingPurpose; readonly dimensions: number | null },
  ): Promise<{ readonly vectors: readonly ArrayLike<number>[]; readonly inputTokens: number | null }>;
}

/** Base of embedding models behind HTTP: what all providers have in common. */
export class RemoteEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor;
  private readonly asked: number | null;

  private constructor(
    private readonly at: RemoteModel,
    private readonly requests: EmbeddingRequests,
    private readonly options: RemoteEmbeddingOptions,
    dimensions: number,
    private readonly asSet: RemoteEmbeddingOptions,
  ) {
    super();
    const known = findKnownEmbeddingModel(at.model);
    const { sendsDimensions, batchSize, maxBatchTokens, maxTokens } = options;
    const isShortened = known?.canShorten === true && known.dimensions !== dimensions;
    this.asked = sendsDimensions === 'true' || (sendsDimensions === 'auto' && isShortened) ? dimensions : null;
    this.descriptor = {
      provider: at.provider,
      model: at.model,
      dimensions,
      space: spaceOf(at, options, dimensions),
      kind: 'semantic',
      maxBatchSize: batchSize,
      ...(maxBatchTokens === undefined ? {} : { maxBatchTokens }),
      maxInputTokens: maxTokens === 0 ? (known?.maxTokens ?? FALLBACK_MAX_TOKENS) : maxTokens,
    };
  }

  /**
   * Makes no call when the number of dimensions is set or known.
   * @throws `ai.embedding_dimensions_unknown` when it must ask and gets no answer within ten seconds
   */
  static async open(
    at: RemoteModel,
    requests: EmbeddingRequests,
    options: RemoteEmbeddingOptions,
  ): Promise<RemoteEmbedder> {
    const known = findKnownEmbeddingModel(at.model)?.dimensions;
    const told = options.dimensions === 0 ? known : options.dimensions;
    const prefixes = isUnset(options.prefixes) ? (prefixesOfFamily([at.model]) ?? options.prefixes) : options.prefixes;
    return new RemoteEmbedder(at, requests, { ...options, prefixes }, told ?? (await probe(at, requests)), options);
  }

  /** The same model with the prefixes that earlier versions gave it, those of the settings alone; null where they are the same. */
  former(): RemoteEmbedder | null {
    const { asSet } = this;
    if (asSet.prefixes === this.options.prefixes) return null;
    return new RemoteEmbedder(this.at, this.requests, asSet, this.descriptor.dimensions, asSet);
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, options?: ModelCallOptions): Promise<EmbeddedTexts> {
    const { maxBatchSize: max, maxInputTokens, dimensions } = this.descriptor;
    if (texts.length > max) throw aiErrors.batch_too_large({ given: texts.length, max });
    options?.signal?.throwIfAborted();
    const sent = texts.flatMap((text) => (isBlank(text) ? [] : [prefixed(this.options.prefixes[purpose], text)]));
    const cut = sent.map((text) => cutToTokens(text, maxInputTokens));
    const { vectors, usage } = cut.length === 0 ? NOTHING : await this.request(cut, purpose, options?.signal);
    const made = vectors.values();
    return {
      vectors: texts.map((text) => (isBlank(text) ? blankVector(dimensions) : made.next().value!)),
      usage,
    };
  }

  /** By the estimate by which texts are cut. */
  override countTokens(texts: readonly string[], purpose: EmbeddingPurpose): Promise<readonly number[]> {
    return super.countTokens(
      texts.map((text) => prefixed(this.options.prefixes[purpose], text)),
      purpose,
    );
  }

  private async request(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal | undefined,
  ): Promise<{ vectors: Float32Array[]; usage: ModelUsage }> {
    const call = new RemoteCall(this.at, this.requests.readError, signal);
    try {
      const answer = await call.wait(this.requests.send(call, texts, { purpose, dimensions: this.asked }));
      const { dimensions } = this.descriptor;
      const vectors = usable(call, () => unitVectors(answer.vectors, { count: texts.length, dimensions }));
      return { vectors, usage: usageOf(answer.inputTokens, texts) };
    } finally {
      call.end();
    }
  }
}

const NOTHING = {
  vectors: [] as Float32Array[],
  usage: { inputTokens: 0, outputTokens: 0, requests: 0, isEstimated: false },
};

function usageOf(inputTokens: number | null, texts: readonly string[]): ModelUsage {
  if (!isTokenCount(inputTokens)) return estimateUsage(texts);
  return { inputTokens, outputTokens: 0, requests: 1, isEstimated: false };
}

function isUnset({ query, document }: Prefixes): boolean {
  return query === '' && document === '';
}

/** Settings lose white space at their end, which models want behind a prefix. */
function prefixed(prefix: string, text: string): string {
  return prefix === '' ? text : `${prefix.trimEnd()} ${text}`;
}

/** Everything that changes a vector is part of it; the address is not: the same model is behind several. */
function spaceOf(at: RemoteModel, { prefixes, maxTokens }: RemoteEmbeddingOptions, dimensions: number): string {
  const name = at.model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  const facts = [at.model, prefixes.document, prefixes.query, maxTokens];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
  return `${at.provider}-${name}-${dimensions}-${hash}`;
}

async function probe(at: RemoteModel, requests: EmbeddingRequests): Promise<number> {
  const bounded = { ...at, silenceMs: Math.min(PROBE_MS, at.silenceMs) };
  const call = new RemoteCall(bounded, requests.readError, undefined);
  try {
    const answer = await call.wait(requests.send(call, ['dimensions'], { purpose: 'document', dimensions: null }));
    const [vector] = usable(call, () => unitVectors(answer.vectors, { count: 1, dimensions: null }));
    return vector!.length;
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { provider, model, words } = error;
    throw aiErrors.embedding_dimensions_unknown({ provider, model, words }, { cause: error });
  } finally {
    call.end();
  }
}
