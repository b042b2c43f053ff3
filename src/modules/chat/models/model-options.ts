import type { ChatModelDescriptor, ChatRequest, ChatResponseFormat } from '#libs/ai';
import { validationFailed } from '#libs/http';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';

const TEMPERATURE_DEFAULT = 0.1;

/** Options for the model; it ignores those that it does not support. */
export type ModelOptions = Pick<ChatRequest, 'temperature' | 'maxTokens' | 'topP' | 'seed' | 'stop' | 'responseFormat'>;

/** @throws `http.validation_failed` where the model cannot answer in the form that is asked for. */
export function modelOptionsOf(request: ChatCompletionRequest, descriptor: ChatModelDescriptor): ModelOptions {
  const stop = stopTextsOf(request);
  const responseFormat = responseFormatOf(request, descriptor);
  return {
    temperature: request.temperature ?? TEMPERATURE_DEFAULT,
    maxTokens: maxTokensOf(request),
    topP: request.top_p ?? undefined,
    seed: request.seed ?? undefined,
    ...(stop.length === 0 ? {} : { stop }),
    ...(responseFormat === undefined ? {} : { responseFormat }),
  };
}

/** The texts before which the answer ends. */
export function stopTextsOf(request: Pick<ChatCompletionRequest, 'stop'>): readonly string[] {
  return [request.stop ?? []].flat();
}

/** The most tokens of the answer; undefined: as many as the model gives. */
export function maxTokensOf(
  request: Pick<ChatCompletionRequest, 'max_tokens' | 'max_completion_tokens'>,
): number | undefined {
  return request.max_completion_tokens ?? request.max_tokens ?? undefined;
}

function responseFormatOf(
  { response_format: format }: ChatCompletionRequest,
  { supports, provider, model }: ChatModelDescriptor,
): ChatResponseFormat | undefined {
  if (format === null || format === undefined || format.type === 'text') return undefined;
  const isSupported = format.type === 'json_object' ? supports?.jsonObject : supports?.jsonSchema;
  if (isSupported !== true)
    throw validationFailed([
      { pointer: '/response_format', code: 'is_supported', detail: unsupported(format.type, `${provider}-${model}`) },
    ]);
  if (format.type === 'json_object' || format.json_schema === undefined) return { kind: 'json_object' };
  const { name, schema, strict } = format.json_schema;
  return { kind: 'json_schema', name, schema: schema ?? {}, strict: strict ?? false };
}

function unsupported(format: string, model: string): string {
  return `response_format is not supported in the form ${format} by the chat model ${model}: omit it or send {"type": "text"}`;
}
