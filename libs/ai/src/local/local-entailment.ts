import { aiErrors } from '../ai.errors.js';
import { EntailmentModel, type EntailmentDescriptor } from '../entailment-model.port.js';
import type { ModelCallOptions } from '../model-call.js';
import { readModelFolder, type LocalModelOptions } from './model-folder.js';
import { OnnxThread } from './onnx-thread.js';

/** Each text is computed for itself, which takes a core some tens of milliseconds. */
const MAX_TEXTS = 100;
/** UTF-16 units of a text that are read: more than the longest chunk has, so that a text costs bounded time. */
const MAX_TEXT_CHARS = 65_536;
const ENTAILMENT = /^entail(?:ment|s|ed)?$/i;

/** An NLI cross-encoder in a folder, computed in this process by ONNX Runtime: reads a text and the statement behind it as one pair. */
export class LocalEntailment extends EntailmentModel {
  readonly descriptor: EntailmentDescriptor;

  private constructor(
    name: string,
    private readonly thread: OnnxThread,
  ) {
    super();
    this.descriptor = { provider: 'local', model: name, maxTexts: MAX_TEXTS };
  }

  /** Reads the folder and loads its model. @throws `ai.local_model_unusable`, `ai.local_runtime_missing` */
  static async load(options: LocalModelOptions): Promise<LocalEntailment> {
    const { network, isStatic, tokenizer, tokenizerConfig, pooling, maxTokens, labels, name } =
      await readModelFolder(options);
    const entailment = labels.findIndex((label) => ENTAILMENT.test(label));
    if (entailment === -1) {
      const found = labels.length === 0 ? 'no labels' : labels.join(', ');
      const problem = `config.json names no label "entailment" in id2label (${found}): it is no model for natural language inference`;
      throw aiErrors.local_model_unusable({ path: options.path, problems: [problem] });
    }
    const answer = { labels: labels.length, wanted: entailment };
    const threads = options.threads ?? 1;
    const described = { network, isStatic, tokenizer, tokenizerConfig, pooling, maxTokens, threads };
    const thread = new OnnxThread({ ...described, task: 'classify', answer }, name);
    await thread.open();
    return new LocalEntailment(name, thread);
  }

  async entail(statement: string, texts: readonly string[], options?: ModelCallOptions): Promise<readonly number[]> {
    if (texts.length > MAX_TEXTS) throw aiErrors.batch_too_large({ given: texts.length, max: MAX_TEXTS });
    options?.signal?.throwIfAborted();
    const read = texts.map((text) => text.slice(0, MAX_TEXT_CHARS));
    const answers = await Promise.all(read.map((text) => this.thread.embed(text, 'query', options, statement)));
    return answers.map(([probability]) => probability!);
  }

  /** Lets go of the model; a later call loads it again. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
