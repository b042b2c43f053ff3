import { countTokens } from '#libs/text';
import type { ModelCallOptions, ModelUsage } from './model-call.js';

/** Purpose of an embedding; some models embed a question differently from a passage. */
export type EmbeddingPurpose = 'document' | 'query';

/** Facts about an embedding model, as data, so that no code depends on the name of a provider. */
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
  /** Index of the first component that carries meaning, up to the end of the vector. Absent: the whole vector carries it. */
  readonly meaningFrom?: number;
  /**
   * For a model that runs within the service, so that single statements can be compared with a question during a search: similarity, in spreads
   * above unrelated texts, from which the most similar statement is taken for an answer. Absent: statements are not compared.
   */
  readonly answersFrom?: number;
  /** Maximum number of texts in one call of `embed`. */
  readonly maxBatchSize: number;
  /** Maximum number of tokens of all texts of one call together; absent: no limit. */
  readonly maxBatchTokens?: number;
  /** Maximum number of tokens of a text that influence its vector; the adapter cuts off the rest without an error. */
  readonly maxInputTokens: number;
  /**
   * Primary tags of the languages whose meaning the model knows, if the adapter can tell; absent: as measured. For all other languages the model
   * has the least trust, even if spelling alone distinguishes the probe texts.
   */
  readonly knows?: readonly string[];
  /**
   * Why this model is used instead of the better one that the settings mean, in a sentence for operators; absent where the settings mean this
   * model.
   */
  readonly insteadOf?: string;
  /** Limits of the model and the command that finds a better one, in a line for operators; absent where there are none. */
  readonly advice?: string;
}

/** Result of `embed`. */
export interface EmbeddedTexts {
  /** One vector per text, in the order of the texts. */
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
   * The same text gives the same vector, regardless of the other texts of the batch. No texts give no vectors.
   * @throws `ai.batch_too_large` for more than `maxBatchSize` texts, `ModelFailure` when a remote model gives no usable answer.
   */
  abstract embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    options?: ModelCallOptions,
  ): Promise<EmbeddedTexts>;

  /**
   * Number of tokens of each text for the model, in the order of the texts, including added prefixes and without cutting: tokens beyond
   * `descriptor.maxInputTokens` do not influence the vector. The default is an estimate for adapters without the tokenizer of their model, which
   * cut texts by it. Any number of texts.
   */
  countTokens(
    texts: readonly string[],
    _purpose: EmbeddingPurpose,
    _options?: ModelCallOptions,
  ): Promise<readonly number[]> {
    return Promise.resolve(texts.map(countTokens));
  }
}
