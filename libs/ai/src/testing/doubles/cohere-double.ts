import {
  answerAsDouble,
  embedAsDouble,
  piecesOf,
  REFUSAL,
  rerankAsDouble,
  tokensOf,
  type DoubleSource,
} from './double-answers.js';
import type { Fault } from './fault.js';
import {
  Broken,
  forever,
  insideCharacter,
  keyOf,
  ProviderDouble,
  type DoubleReply,
  type DoubleRequest,
} from './provider-double.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

interface Document {
  readonly id: string;
  readonly data: { readonly snippet: string };
}

interface Answer {
  readonly pieces: readonly string[];
  readonly finishReason: string;
  readonly promptTokens: number;
  readonly citation: object | undefined;
}

/** Cohere's second interface at `/v2`: embed, rerank, and chat with documents, whole or as SSE with citations behind their words. */
export class CohereDouble extends ProviderDouble {
  /** Length of the vectors where a request asks for none. */
  dimensions = 64;
  /** When citations are told: behind their words, or all behind the text as in the accurate mode. */
  citations: 'fast' | 'accurate' = 'fast';
  /** The key without which it answers 401; undefined: none is needed. */
  key: string | undefined;

  get baseUrl(): string {
    return this.origin;
  }

  protected errorBody(_status: number, message: string): unknown {
    return { id: 'double', message };
  }

  protected async reply(request: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const refuse = (status: number, message: string): DoubleReply => ({
      status,
      body: this.errorBody(status, message),
    });
    if (this.key !== undefined && keyOf(request) !== this.key)
      return refuse(401, `invalid api token ${keyOf(request)}`);
    if (request.path === '/v2/embed') return this.embed(request, fault);
    if (request.path === '/v2/rerank') return this.rerank(request, fault);
    if (request.path === '/v2/chat') return this.chat(request, fault);
    return refuse(404, `page not found: ${request.path}`);
  }

  private async embed({ body }: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const texts = body['texts'] as string[];
    if (texts.length > 96) return { status: 400, body: this.errorBody(400, 'texts must be at most 96') };
    const wanted = typeof body['output_dimension'] === 'number' ? body['output_dimension'] : this.dimensions;
    const vectors = await embedAsDouble(texts, fault?.kind === 'wrong_dimension' ? wanted + 1 : wanted);
    if (fault?.kind === 'nan') vectors[0]![0] = NaN;
    if (fault?.kind === 'fewer') vectors.pop();
    const billed = fault?.kind === 'no_usage' ? {} : { billed_units: { input_tokens: tokensOf(texts) } };
    const meta = { api_version: { version: '2' }, ...billed };
    const embeddings = { float: fault?.kind === 'empty' ? [] : vectors };
    return { status: 200, body: { id: 'double', response_type: 'embeddings_by_type', embeddings, texts, meta } };
  }

  private async rerank({ body }: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const scores = await rerankAsDouble(String(body['query']), body['documents'] as string[]);
    if (fault?.kind === 'fewer') scores.pop();
    const ranked = scores.map((score, index) => ({ index, relevance_score: fault?.kind === 'nan' ? null : score }));
    ranked.sort((a, b) => (b.relevance_score ?? 0) - (a.relevance_score ?? 0));
    const results = fault?.kind === 'empty' ? [] : ranked;
    return { status: 200, body: { id: 'double', results, meta: { billed_units: { search_units: 1 } } } };
  }

  private async chat({ body }: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const answer = await answerOf(body, fault);
    if (body['stream'] === true) return { stream: this.events(answer, fault) };
    const content = [{ type: 'text', text: answer.pieces.join('') }];
    const citations = answer.citation === undefined ? {} : { citations: [answer.citation] };
    const message = { role: 'assistant', content, ...citations };
    return { status: 200, body: { id: 'double', finish_reason: answer.finishReason, message, usage: usageOf(answer) } };
  }

  private async *events(answer: Answer, fault: Fault | undefined): AsyncGenerator<string | Buffer> {
    yield event('message-start', {
      id: 'double',
      delta: { message: { role: 'assistant', content: [], citations: [] } },
    });
    if (fault?.kind === 'malformed') {
      yield 'event: content-delta\ndata: {"type": "content-delta", "del\n\n';
      return;
    }
    if (fault?.kind === 'tool_call')
      yield event('tool-call-start', { index: 0, delta: { message: { tool_calls: TOOL } } });
    yield event('content-start', { index: 0, delta: { message: { content: { type: 'text', text: '' } } } });
    for (const [at, piece] of [...answer.pieces, ''].entries()) {
      if (fault?.kind === 'cut' && at === fault.after) {
        if (fault.how === 'broken') throw new Broken();
        return;
      }
      if (fault?.kind === 'stall' && at === fault.after) await forever();
      if (fault?.kind === 'stream_error' && at === fault.after) {
        yield event('message-end', { delta: { finish_reason: 'ERROR', error: fault.message } });
        return;
      }
      if (piece === '') continue;
      const said = event('content-delta', { index: 0, delta: { message: { content: { text: piece } } } });
      if (fault?.kind === 'markers' && fault.variant === 'inside_character') yield* insideCharacter(said);
      else yield said;
    }
    if (this.citations === 'accurate') yield event('content-end', { index: 0 });
    if (answer.citation !== undefined) {
      yield event('citation-start', { index: 0, delta: { message: { citations: answer.citation } } });
      yield event('citation-end', { index: 0 });
    }
    if (this.citations === 'fast') yield event('content-end', { index: 0 });
    const usage = fault?.kind === 'no_usage' ? {} : { usage: usageOf(answer) };
    yield event('message-end', { id: 'double', delta: { finish_reason: answer.finishReason, ...usage } });
    yield 'data: [DONE]\n\n';
  }
}

const TOOL = { id: 'call_1', type: 'function', function: { name: 'search', arguments: '' } };

function event(type: string, facts: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...facts })}\n\n`;
}

function usageOf({ promptTokens, pieces }: Answer): object {
  const units = { input_tokens: promptTokens, output_tokens: pieces.length };
  return { billed_units: units, tokens: units };
}

async function answerOf(body: DoubleRequest['body'], fault: Fault | undefined): Promise<Answer> {
  const messages = body['messages'] as Message[];
  const documents = (body['documents'] ?? []) as Document[];
  const sources = documents.map(({ id, data }): DoubleSource => ({ number: Number(id), text: data.snippet }));
  const found = await answerAsDouble(messages.at(-1)?.content ?? '', sources);
  const inside = fault?.kind === 'markers' && fault.variant === 'inside_character';
  const text =
    fault?.kind === 'text' ? fault.text : isSilent(fault) ? '' : textOf(found?.text, sources, messages, inside);
  const all = piecesOf(text, undefined);
  const most = Number(body['max_tokens'] ?? Infinity);
  const pieces = all.slice(0, fault?.kind === 'content_filter' ? fault.after : most);
  const isCut = fault?.kind !== 'content_filter' && all.length > most;
  const finishReason =
    fault?.kind === 'content_filter'
      ? 'ERROR_TOXIC'
      : fault?.kind === 'tool_call'
        ? 'TOOL_CALL'
        : isCut
          ? 'MAX_TOKENS'
          : 'COMPLETE';
  const isCited = found !== undefined && text.startsWith(found.text) && pieces.join('').length >= found.text.length;
  return {
    pieces,
    finishReason,
    promptTokens: tokensOf([...messages.map(({ content }) => content), ...sources.map((source) => source.text)]),
    citation: isCited ? citationOf(inside ? text : found.text.replace(/[.!?。]$/u, ''), found.number) : undefined,
  };
}

function isSilent(fault: Fault | undefined): boolean {
  return fault?.kind === 'empty' || fault?.kind === 'tool_call';
}

function textOf(
  found: string | undefined,
  sources: readonly DoubleSource[],
  messages: readonly Message[],
  inside: boolean,
): string {
  if (sources.length === 0) return `You said: ${messages.at(-1)?.content}`;
  return found === undefined ? REFUSAL : `${found}${inside ? ' ä🚀' : ''}`;
}

/** Offsets count code points. */
function citationOf(text: string, number: number): object {
  const source = { type: 'document', id: String(number), document: { id: String(number) } };
  return { start: 0, end: [...text].length, text, sources: [source], type: 'TEXT_CONTENT' };
}
