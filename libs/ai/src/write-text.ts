import type { ChatModel, ChatResponseFormat, ChatUsage } from './chat-model.port.js';
import { estimateUsage } from './estimate-usage.js';
import type { ModelCallOptions, ModelUsage } from './model-call.js';
import { ModelFailure } from './model-failure.js';

/** A text that a chat model is to write by rules of the caller's own. */
export interface WritingTask<T = string> {
  readonly instructions: string;
  /** What it is to be written about. Texts of others are in it between delimiters, escaped. */
  readonly prompt: string;
  readonly maxTokens: number;
  /** Another seed may give another text, where the model has chance at all. Default 0. */
  readonly seed?: number;
  /** Asked of models that honour it; servers that refuse it are asked again without. */
  readonly responseFormat?: ChatResponseFormat;
  /** What is made of the text; undefined where it is of no use. */
  readonly read: (written: string) => T | undefined;
}

/** What a model wrote, before anything is made of it. */
export interface WrittenText {
  readonly text: string;
  /** Whether it was cut at `maxTokens`. */
  readonly isCut: boolean;
  readonly usage: ModelUsage;
}

/** More than that of a text is not read: what a model writes is bounded by characters, too. */
const CHARS_PER_TOKEN = 16;
const REFUSED_FORM: ReadonlySet<number> = new Set([400, 415, 422]);

/**
 * What a model writes for a task, as steadily as it can: without chance, with a fixed seed. Cut at `maxTokens`.
 * @throws ModelFailure where the model gives nothing usable, an answer that was refused or filtered included; what is around the
 * model (a budget, say); the signal's reason after an abort.
 */
export async function writeText<T>(model: ChatModel, task: WritingTask<T>, options: ModelCallOptions): Promise<T> {
  const made = task.read((await writeRaw(model, task, options)).text);
  if (made === undefined) throw unusable(model, 'malformed', 'the model wrote nothing that is of use');
  return made;
}

/** As `writeText`, for callers that judge what was written themselves and count what it took. @throws as `writeText` */
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
