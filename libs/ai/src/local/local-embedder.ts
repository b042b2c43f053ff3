import { mapBounded } from '#libs/common';
import { aiErrors } from '../ai.errors.js';
import { Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '../embedder.port.js';
import { estimateUsage } from '../estimate-usage.js';
import type { ModelCallOptions } from '../model-call.js';
import { readModelFolder, type LocalModel, type LocalModelOptions } from './model-folder.js';
import { OnnxThread } from './onnx-thread.js';

const MAX_BATCH_SIZE = 32;
/** By what multilingual-e5-small makes of `npm run bench:own-words` and, of another office, `bench:office-files`; figures in docs/adr/0169. */
const ANSWERS_FROM = 4.2;
const FINGERPRINT_CHARS = 16;

/**
 * A trained embedding model in a folder, computed in this process, by ONNX Runtime or as the mean of rows of a table: no service, no network. Texts are computed one
 * at a time, without padding, so that a text has the same bits whatever is beside it.
 */
export class LocalEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor;

  private constructor(
    private readonly model: LocalModel,
    private readonly thread: OnnxThread,
    private readonly dimensions: number,
    private readonly use: Pick<LocalModel, 'prompts' | 'fingerprint'> = model,
  ) {
    super();
    this.descriptor = {
      provider: 'local',
      model: model.name,
      dimensions,
      space: `local-${dimensions}-${use.fingerprint.slice(0, FINGERPRINT_CHARS)}`,
      kind: 'semantic',
      maxBatchSize: MAX_BATCH_SIZE,
      answersFrom: ANSWERS_FROM,
      maxInputTokens: model.maxTokens,
    };
  }

  /** Reads the folder and loads its model. @throws `ai.local_model_unusable`, `ai.local_runtime_missing` */
  static async load(options: LocalModelOptions): Promise<LocalEmbedder> {
    const model = await readModelFolder(options);
    const { network, isStatic, tokenizer, tokenizerConfig, pooling, maxTokens, name } = model;
    const threads = options.threads ?? 1;
    const thread = new OnnxThread({ network, isStatic, tokenizer, tokenizerConfig, pooling, maxTokens, threads }, name);
    return new LocalEmbedder(model, thread, await thread.open());
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, options?: ModelCallOptions): Promise<EmbeddedTexts> {
    const max = this.descriptor.maxBatchSize;
    if (texts.length > max) throw aiErrors.batch_too_large({ given: texts.length, max });
    options?.signal?.throwIfAborted();
    const prompt = this.use.prompts[purpose];
    const vectors = await Promise.all(texts.map((text) => this.thread.embed(prompt + text, purpose, options)));
    return { vectors, usage: estimateUsage(texts) };
  }

  /** By the model's own tokenizer. */
  override async countTokens(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    options?: ModelCallOptions,
  ): Promise<readonly number[]> {
    const prompt = this.use.prompts[purpose];
    return mapBounded(texts, MAX_BATCH_SIZE, (text) => this.thread.count(prompt + text, purpose, options));
  }

  /** The same model with the prefixes that earlier versions gave it, which made vectors of another space; null where they are the same. */
  former(): LocalEmbedder | null {
    const { former } = this.model;
    return former === null ? null : new LocalEmbedder(this.model, this.thread, this.dimensions, former);
  }

  /** Lets go of the model; a later call loads it again. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
