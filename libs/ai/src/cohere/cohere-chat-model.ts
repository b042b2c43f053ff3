import { randomBytes } from 'node:crypto';
import type { Cohere } from 'cohere-ai';
import {
  ChatModel,
  type ChatDelta,
  type ChatMessage,
  type ChatModelDescriptor,
  type ChatRequest,
} from '../chat-model.port.js';
import type { ModelCallOptions } from '../model-call.js';
import { escapeSource, placeOf } from '../prompt/escape-source.js';
import { promptMessages, systemPrompt } from '../prompt/source-prompt.js';
import { knownChatModel, outputLimits } from '../remote/known-models.js';
import { chatDeltas, endOf, textIn, tokenLimitOf, type RemoteEnd, type RemotePiece } from '../remote/remote-chat.js';
import { RemoteCall, usable, type RemoteModel } from '../remote/remote-call.js';
import { CitationMarkers, type StreamedCitation } from './citation-markers.js';
import { cohereClient, cohereModel, readCohereError, type CohereAccess } from './cohere-client.js';

export interface CohereChatOptions extends CohereAccess {
  readonly model: string;
  readonly silenceMs: number;
  /** 0: what is known of the model. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
}

const MOST_STOPS = 5;
const DELIMITER_BYTES = 8;
const PLACE = 'The sources are the documents that you are given.';

/**
 * Cohere's chat models, by its second interface. Sources go as documents, and its citations become our markers. Where a form is asked
 * for, which Cohere refuses beside documents, the sources are in the prompt.
 */
export class CohereChatModel extends ChatModel {
  readonly descriptor: ChatModelDescriptor;
  private readonly client;
  private readonly at: RemoteModel;

  constructor(private readonly options: CohereChatOptions) {
    super();
    const known = knownChatModel(options.model);
    this.client = cohereClient(options);
    this.at = cohereModel(options.model, options, options.silenceMs);
    this.descriptor = {
      provider: 'cohere',
      model: options.model,
      kind: 'generative',
      contextTokens: options.contextTokens === 0 ? known.contextTokens : options.contextTokens,
      ...outputLimits(options.maxOutputTokens, known),
      readsHistory: true,
      supports: { jsonObject: true, jsonSchema: true, seed: true },
    };
  }

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    const call = new RemoteCall(this.at, readCohereError, options?.signal);
    try {
      const stream = await call.wait(this.client.v2.chatStream(this.bodyOf(request), { abortSignal: call.signal }));
      const markers = new CitationMarkers();
      const most = tokenLimitOf(request, this.descriptor);
      yield* chatDeltas(call, request, piecesOf(call, stream, markers), most, () => markers.flush());
    } finally {
      call.end();
    }
  }

  private bodyOf(request: ChatRequest): Cohere.V2ChatStreamRequest {
    const { temperature, topP, seed, stop = [], responseFormat } = request;
    const limit = tokenLimitOf(request, this.descriptor);
    return {
      model: this.options.model,
      ...(request.instructions === undefined && responseFormat === undefined
        ? withDocuments(request)
        : withForm(request)),
      maxTokens: limit,
      ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
      ...(topP === undefined ? {} : { p: Math.min(0.99, Math.max(0.01, topP)) }),
      ...(seed === undefined ? {} : { seed }),
      ...(stop.length === 0 ? {} : { stopSequences: stop.slice(0, MOST_STOPS) }),
    };
  }
}

function toCohere({ role, content }: ChatMessage): Cohere.ChatMessageV2 {
  return { role, content };
}

function withDocuments(
  request: ChatRequest,
): Pick<Cohere.V2ChatStreamRequest, 'messages' | 'documents' | 'citationOptions'> {
  const spoken = request.messages.filter(({ role }) => role !== 'system');
  const messages: ChatMessage[] = [{ role: 'system', content: systemPrompt(request, PLACE) }, ...spoken];
  const documents = request.sources.map(({ number, text, ...source }) => ({
    id: String(number),
    data: { title: placeOf(source), snippet: escapeSource(text) },
  }));
  return { messages: messages.map(toCohere), documents, citationOptions: { mode: 'FAST' } };
}

/** Without documents: where a form is asked for, or a text of the caller's own rules. */
function withForm(request: ChatRequest): Pick<Cohere.V2ChatStreamRequest, 'messages' | 'responseFormat'> {
  const messages = promptMessages(request, randomBytes(DELIMITER_BYTES).toString('hex')).map(toCohere);
  const { responseFormat: format } = request;
  if (format === undefined) return { messages };
  const schema = format.kind === 'json_schema' ? { jsonSchema: format.schema } : {};
  return { messages, responseFormat: { type: 'json_object', ...schema } };
}

const ENDS: Readonly<Record<string, RemoteEnd>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_call',
  ERROR_TOXIC: 'content_filter',
};

async function* piecesOf(
  call: RemoteCall,
  events: AsyncIterable<Cohere.V2ChatStreamResponse>,
  markers: CitationMarkers,
): AsyncGenerator<RemotePiece> {
  for await (const event of events) {
    if (event.type === 'content-delta') yield { text: markers.push(textIn(call, event.delta?.message?.content?.text)) };
    else if (event.type === 'citation-start') {
      markers.cite(usable(call, () => citationOf(event.delta?.message?.citations)));
    } else if (event.type === 'message-end') {
      const { finishReason, usage, error } = event.delta ?? {};
      if (finishReason === 'TIMEOUT') throw call.failure({ kind: 'timeout', words: error ?? '' });
      if (finishReason === 'ERROR') throw call.failure({ kind: 'unavailable', words: error ?? '' });
      const { inputTokens: input, outputTokens: output } = usage?.tokens ?? usage?.billedUnits ?? {};
      const counted = input === undefined || output === undefined ? {} : { usage: { input, output } };
      yield { text: markers.flush(), end: endOf(ENDS, finishReason ?? ''), ...counted };
    } else if (event.type === 'tool-call-start') yield { end: 'tool_call' };
  }
}

function citationOf(citation: Cohere.Citation | undefined): StreamedCitation {
  const { start = 0, end = 0, text = '', sources = [] } = citation ?? {};
  const numbers = sources.map(({ id }) => Number(/(\d+)$/.exec(id ?? '')?.[1])).filter((number) => number > 0);
  return { start, end, text, sources: [...new Set(numbers)] };
}
