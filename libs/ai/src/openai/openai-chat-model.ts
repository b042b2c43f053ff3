import { randomBytes } from 'node:crypto';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { ChatModel, type ChatDelta, type ChatModelDescriptor, type ChatRequest } from '../chat-model.port.js';
import type { ModelCallOptions } from '../model-call.js';
import { promptMessages } from '../prompt/source-prompt.js';
import { knownChatModel, outputLimits } from '../remote/known-models.js';
import { httpFetch } from '../remote/http-fetch.js';
import { chatDeltas, endOf, tokenLimitOf, type RemoteEnd, type RemotePiece } from '../remote/remote-chat.js';
import { RemoteCall, usable, type RemoteModel } from '../remote/remote-call.js';
import { openAiClient, openAiModel, readOpenAiError, type OpenAiAccess } from './openai-client.js';

export interface OpenAiChatOptions extends OpenAiAccess {
  readonly model: string;
  readonly silenceMs: number;
  /** 0: what is known of the model. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
}

/** The interface takes no more texts that end an answer; the chat module cuts at all of them. */
const MOST_STOPS = 4;
const DELIMITER_BYTES = 8;

/** A chat model behind `POST {base}/chat/completions`. */
export class OpenAiChatModel extends ChatModel {
  readonly descriptor: ChatModelDescriptor;
  private readonly client;
  private readonly at: RemoteModel;
  private readonly takesTemperature: boolean;

  constructor(private readonly options: OpenAiChatOptions) {
    super();
    const known = knownChatModel(options.model);
    this.client = openAiClient(options, { fetch: (url, init) => httpFetch(url, init) });
    this.at = openAiModel(options.model, options, options.silenceMs);
    this.takesTemperature = known.takesTemperature;
    this.descriptor = {
      provider: 'openai',
      model: options.model,
      kind: 'generative',
      contextTokens: options.contextTokens === 0 ? known.contextTokens : options.contextTokens,
      ...outputLimits(options.maxOutputTokens, known),
      readsHistory: true,
      supports: { jsonObject: true, jsonSchema: true, seed: true },
    };
  }

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    const call = new RemoteCall(this.at, readOpenAiError, options?.signal);
    try {
      const stream = await call.wait(this.open(request, call.signal));
      if (stream === null || typeof stream !== 'object') throw call.malformed('the answer is no stream');
      yield* chatDeltas(call, request, piecesOf(call, stream), tokenLimitOf(request, this.descriptor));
    } finally {
      call.end();
    }
  }

  /** A step of its own: what is sent must not be kept by the generator that reads the answer. */
  private open(request: ChatRequest, signal: AbortSignal): PromiseLike<AsyncIterable<ChatCompletionChunk>> {
    return this.client.chat.completions.create(this.bodyOf(request), { signal });
  }

  private bodyOf(request: ChatRequest): ChatCompletionCreateParamsStreaming {
    const { temperature, topP, seed, stop = [] } = request;
    const limit = tokenLimitOf(request, this.descriptor);
    const { baseUrl, apiVersion } = this.options;
    // OpenAI refuses the older name for its newer models, servers of others know no newer one.
    const isOwn = baseUrl === undefined || apiVersion !== undefined || /\/\/api\.openai\.com(?:[:/]|$)/.test(baseUrl);
    // By its names on the wire: servers of others know what OpenAI calls deprecated, and no other.
    const body: Readonly<Record<string, unknown>> & { readonly stream: true } = {
      model: this.options.model,
      messages: promptMessages(request, randomBytes(DELIMITER_BYTES).toString('hex')),
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      ...(isOwn ? { max_completion_tokens: limit } : { max_tokens: limit }),
      ...(temperature === undefined || !this.takesTemperature ? {} : { temperature }),
      ...(topP === undefined || !this.takesTemperature ? {} : { top_p: topP }),
      ...(seed === undefined ? {} : { seed }),
      ...(stop.length === 0 ? {} : { stop: stop.slice(0, MOST_STOPS) }),
      ...formatOf(request),
    };
    return body as unknown as ChatCompletionCreateParamsStreaming;
  }
}

function formatOf({ responseFormat }: ChatRequest): Pick<ChatCompletionCreateParamsStreaming, 'response_format'> {
  if (responseFormat === undefined) return {};
  if (responseFormat.kind === 'json_object') return { response_format: { type: 'json_object' } };
  const { name, schema, strict } = responseFormat;
  const described = { name, schema, ...(strict === undefined ? {} : { strict }) };
  return { response_format: { type: 'json_schema', json_schema: described } };
}

const ENDS: Readonly<Record<string, RemoteEnd>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool_calls: 'tool_call',
  function_call: 'tool_call',
};

async function* piecesOf(call: RemoteCall, chunks: AsyncIterable<ChatCompletionChunk>): AsyncGenerator<RemotePiece> {
  let refuses = false;
  for await (const chunk of chunks) {
    const { isRefusal, ...piece } = usable(call, () => pieceOf(chunk));
    refuses ||= isRefusal;
    yield refuses && piece.end === 'stop' ? { ...piece, end: 'refusal' } : piece;
  }
}

/** What a chunk tells. @throws for what is no chunk */
function pieceOf({ choices, usage }: ChatCompletionChunk): RemotePiece & { readonly isRefusal: boolean } {
  const [choice] = choices ?? [];
  const reason = choice?.finish_reason;
  return {
    isRefusal: typeof choice?.delta?.refusal === 'string' && choice.delta.refusal !== '',
    text: choice?.delta?.content ?? '',
    ...(reason === null || reason === undefined ? {} : { end: endOf(ENDS, reason) }),
    ...(usage ? { usage: { input: usage.prompt_tokens, output: usage.completion_tokens } } : {}),
  };
}
