import { aiErrors } from '../ai.errors.js';
import { estimateUsage } from '../estimate-usage.js';
import { rankDocuments } from '../remote/rerank-answer.js';
import {
  Reranker,
  type RerankDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type RerankOptions,
} from '../reranker.port.js';
import { readModelFolder, type LocalModelOptions } from './model-folder.js';
import { OnnxThread } from './onnx-thread.js';

/** Each document is computed for itself, which takes a core some tens of milliseconds. */
const MAX_DOCUMENTS = 200;
const MAX_DOCUMENT_CHARS = 32_768;

/** A cross-encoder in a folder, computed in this process by ONNX Runtime: reads question and document at once, one document a run. */
export class LocalReranker extends Reranker {
  readonly descriptor: RerankerDescriptor;

  private constructor(
    name: string,
    private readonly thread: OnnxThread,
  ) {
    super();
    this.descriptor = {
      provider: 'local',
      model: name,
      kind: 'semantic',
      maxDocuments: MAX_DOCUMENTS,
      maxDocumentChars: MAX_DOCUMENT_CHARS,
    };
  }

  /** Reads the folder and loads its model. @throws `ai.local_model_unusable`, `ai.local_runtime_missing` */
  static async load(options: LocalModelOptions): Promise<LocalReranker> {
    const { network, isStatic, tokenizer, tokenizerConfig, pooling, maxTokens, name } = await readModelFolder(options);
    const threads = options.threads ?? 1;
    const thread = new OnnxThread(
      { network, isStatic, tokenizer, tokenizerConfig, pooling, maxTokens, threads, task: 'score' },
      name,
    );
    await thread.open();
    return new LocalReranker(name, thread);
  }

  async rerank(
    query: string,
    documents: readonly RerankDocument[],
    options?: RerankOptions,
  ): Promise<RerankedDocuments> {
    if (documents.length > MAX_DOCUMENTS) {
      throw aiErrors.batch_too_large({ given: documents.length, max: MAX_DOCUMENTS });
    }
    options?.signal?.throwIfAborted();
    const texts = documents.map(({ text }) => text.slice(0, MAX_DOCUMENT_CHARS));
    const logits = await Promise.all(texts.map((text) => this.thread.embed(query, 'query', options, text)));
    const scores = logits.map(([logit]) => 1 / (1 + Math.exp(-logit!)));
    const ranked = rankDocuments(documents, scores, options?.topN);
    return { documents: ranked, usage: estimateUsage([...texts.map(() => query), ...texts]) };
  }

  /** Lets go of the model; a later call loads it again. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
