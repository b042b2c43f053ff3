import type { ChatModel, ChatResponseFormat, ChatUsage } from './chat-model.port.js';
import { estimateUsage } from './estimate-usage.js';
import type { ModelCallOptions, ModelUsage } from './model-call.js';
import { ModelFailure } from './model-failure.js';

/** Request for a text that a chat model writes by the rules of the caller. */
export interface WritingTask<T = string> {
  readonly instructions: string;
  /** Subject of the text. Texts of others in it are escaped and between delimiters. */
  readonly prompt: string;
  readonly maxTokens: number;
  /** Seed; another seed may give another text if the model is random. Default 0. */
  readonly seed?: number;
  /** Form of the text for models that support it; servers that refuse it are asked again without it. */
  readonly responseFormat?: ChatResponseFormat;
  /** Converts the text; undefined where it is unusable. */
  readonly read: (written: string) => T | undefined;
}

/** The unprocessed text of a model. */
export interface WrittenText {
  readonly text: string;
  /** Whether it was cut at `maxTokens`. */
  readonly isCut: boolean;
  readonly usage: ModelUsage;
}

/** Maximum number of characters that are read of a model's text, besides the limit of tokens. */
const CHARS_PER_TOKEN = 16;
const REFUSED_FORM: ReadonlySet<number> = new Set([400, 415, 422]);

/**
 * Has a model write a text for a task, as reproducibly as it can: with temperature 0 and a fixed seed. Cut at `maxTokens`.
 * @throws ModelFailure where the model gives no usable text, also when its answer was refused or filtered; errors of decorators, such as an
 * exhausted budget; the signal's reason after an abort.
 */
export async function writeText<T>(model: ChatModel, task: WritingTask<T>, options: ModelCallOptions): Promise<T> {
  const made = task.read((await writeRaw(model, task, options)).text);
  if (made === undefined) throw unusable(model, 'malformed', 'the model wrote nothing that is of use');
  return made;
}

/** As `writeText`, for callers that check the text themselves and count its usage. @throws as `writeText` */
export async function writeRaw(
  model: ChatModel,
  task: Omit<WritingTask, 'read'>,
  options: ModelCallOptions,
): Promise<WrittenText> {
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
  { instructions, prompt, maxTokens, seed = 0 }: Omit<WritingTask, 'read'>,
  responseFormat: ChatResponseFormat | undefined,
  options: ModelCallOptions,
): Promise<WrittenText> {
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
    else {
      const usage = usageOf(delta.usage);
      if (delta.finishReason === 'content_filter')
        throw unusable(model, 'content_filter', 'the text was filtered').having(usage);
      return { text, isCut: delta.finishReason === 'length', usage };
    }
    if (text.length > maxTokens * CHARS_PER_TOKEN) break;
  }
  return { text, isCut: true, usage: estimateUsage([instructions, prompt], { written: text }) };
}

function usageOf({ promptTokens, completionTokens, requests = 1, isEstimated = false }: ChatUsage): ModelUsage {
  return { inputTokens: promptTokens, outputTokens: completionTokens, requests, isEstimated };
}

function unusable({ descriptor }: ChatModel, kind: 'content_filter' | 'malformed', words: string): ModelFailure {
  const { provider, model } = descriptor;
  return new ModelFailure({ provider, model, kind, words });
}
