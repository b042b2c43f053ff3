import { countTokens } from '#libs/text';
import type { ModelCallOptions, ModelUsage } from './model-call.js';

/** What a text is embedded for; models that know the difference embed a question unlike a passage. */
export type EmbeddingPurpose = 'document' | 'query';

/** Facts about an embedding model, as data: no one branches on a provider's name. */
export interface EmbedderDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * Id of the embedding space, of `[a-z0-9_-]` only. Vectors are comparable only within one space; anything that changes a
   * vector (model, dimensions, normalisation, analysis) makes a new id.
   */
  readonly space: string;
  /** `hashed`: shared words and letters, no meaning; its channel gets little weight. `semantic`: a trained model. */
  readonly kind: 'hashed' | 'semantic';
  /** Where meaning is one part of a vector: from which component to the end. Absent: the vector as a whole. */
  readonly meaningFrom?: number;
  /**
   * Where the model runs within the service, so that single statements can be compared with a question while it is asked: from how many
   * spreads above unrelated texts on the one most like it is taken for an answer. Absent: statements are not compared.
   */
  readonly answersFrom?: number;
  /** The most texts that one call of `embed` accepts. */
  readonly maxBatchSize: number;
  /** The most tokens that the texts of one call may have together; absent: no such limit. */
  readonly maxBatchTokens?: number;
  /** Tokens of one text that influence its vector; what is beyond is cut off by the adapter, without an error. */
  readonly maxInputTokens: number;
  /**
   * Primary tags of the languages whose meaning it knows, where the adapter can tell; absent: as measured. For all others it is trusted
   * least, however well spelling alone tells the probe texts apart.
   */
  readonly knows?: readonly string[];
  /** Why this model is used instead of a better one that was meant, in a sentence for operators; absent where it was meant itself. */
  readonly insteadOf?: string;
  /** What it does not know, and the command that finds a better one, in a line for operators; absent where there is nothing to say. */
  readonly advice?: string;
}

/** What `embed` gives. */
export interface EmbeddedTexts {
  /** One per text, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
  readonly usage: ModelUsage;
}

/** Turns texts into vectors. Injection token. Implementations must pass `describeEmbedder`. */
export abstract class Embedder {
  abstract readonly descriptor: EmbedderDescriptor;

  /**
   * One vector per text, in the order of the texts, each of `descriptor.dimensions` finite numbers and of length 1 (L2),
   * so that the dot product is the cosine. A text without any letter, digit or symbol (empty, white space, punctuation
   * that the model drops) gets a vector of length 1 as well, the same one for all such texts, never zeros.
   * The same text gives the same vector, whatever is beside it in the batch. No texts give no vectors.
   * @throws `ai.batch_too_large` for more than `maxBatchSize` texts, `ModelFailure` when a remote model gives no usable answer.
   */
  abstract embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    options?: ModelCallOptions,
  ): Promise<EmbeddedTexts>;

  /**
   * Tokens that each text has for the model, in the order of the texts, with what is put around them and nothing cut off: of what has more
   * than `descriptor.maxInputTokens` the rest does not influence the vector. This estimate is for adapters without the tokenizer of their
   * model, which cut by it. Any number of texts.
   */
  countTokens(
    texts: readonly string[],
    _purpose: EmbeddingPurpose,
    _options?: ModelCallOptions,
  ): Promise<readonly number[]> {
    return Promise.resolve(texts.map(countTokens));
  }
}
