import type { ChatModel, ChatResponseFormat } from './chat-model.port.js';
import type { ModelCallOptions } from './model-call.js';
import { ModelFailure } from './model-failure.js';

/** A text that a chat model is to write by rules of the caller's own. */
export interface WritingTask<T = string> {
  readonly instructions: string;
  /** What it is to be written about. Texts of others stand in it between delimiters, escaped. */
  readonly prompt: string;
  readonly maxTokens: number;
  /** Another seed may give another text, where the model has chance at all. Default 0. */
  readonly seed?: number;
  /** Asked of models that honour it; servers that refuse it are asked again without. */
  readonly responseFormat?: ChatResponseFormat;
  /** What is made of the text; undefined where it is of no use. */
  readonly read: (written: string) => T | undefined;
}

/** More than that of a text is not read: what a model writes is bounded by characters, too. */
const CHARS_PER_TOKEN = 16;
const REFUSED_FORM: ReadonlySet<number> = new Set([400, 415, 422]);

/**
 * What a model writes for a task, as steadily as it can: without chance, with a fixed seed. Cut at `maxTokens`.
 * @throws ModelFailure where the model gives nothing usable, an answer that was refused or filtered included; what stands around the
 * model (a budget, say); the signal's reason after an abort.
 */
export async function writeText<T>(model: ChatModel, task: WritingTask<T>, options: ModelCallOptions): Promise<T> {
  const made = task.read(await written(model, task, options));
  if (made === undefined) throw unusable(model, 'malformed', 'the model wrote nothing that is of use');
  return made;
}

async function written(model: ChatModel, task: WritingTask<unknown>, options: ModelCallOptions): Promise<string> {
  const { responseFormat: format } = task;
  const { jsonSchema = false, jsonObject = false } = model.descriptor.supports ?? {};
  const isHonoured = format !== undefined && (format.kind === 'json_schema' ? jsonSchema : jsonObject);
  if (!isHonoured) return collect(model, task, undefined, options);
  try {
    return await collect(model, task, format, options);
  } catch (error) {
    const isForm = error instanceof ModelFailure && error.kind === 'rejected' && REFUSED_FORM.has(error.status ?? 0);
    if (!isForm) throw error;
    return collect(model, task, undefined, options);
  }
}

async function collect(
  model: ChatModel,
  { instructions, prompt, maxTokens, seed = 0 }: WritingTask<unknown>,
  responseFormat: ChatResponseFormat | undefined,
  options: ModelCallOptions,
): Promise<string> {
  const asked = {
    instructions,
    messages: [{ role: 'user' as const, content: prompt }],
    sources: [],
    question: prompt,
    temperature: 0,
    seed,
    maxTokens,
    ...(responseFormat === undefined ? {} : { responseFormat }),
  };
  let text = '';
  for await (const delta of model.stream(asked, options)) {
    if (delta.kind === 'text') text += delta.text;
    else if (delta.finishReason === 'content_filter') throw unusable(model, 'content_filter', 'the text was filtered');
    if (text.length > maxTokens * CHARS_PER_TOKEN) break;
  }
  return text;
}

function unusable({ descriptor }: ChatModel, kind: 'content_filter' | 'malformed', words: string): ModelFailure {
  const { provider, model } = descriptor;
  return new ModelFailure({ provider, model, kind, words });
}
