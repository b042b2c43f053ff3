import {
  answerAsDouble,
  embedAsDouble,
  piecesOf,
  REFUSAL,
  rerankAsDouble,
  tokensOf,
  variantOfSeed,
  withMarker,
  type DoubleSource,
} from './double-answers.js';
import { answerLike, asReadInAllLanguages, type Answerer } from './answerers.js';
import { asksForGraph, graphAsDouble } from './graph-answers.js';
import type { Fault, MarkerVariant } from './fault.js';
import {
  Broken,
  forever,
  insideCharacter,
  ProviderDouble,
  type DoubleReply,
  type DoubleRequest,
} from './provider-double.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** What a chat says, before it is sent. */
interface Answer {
  readonly pieces: readonly string[];
  readonly finishReason: string;
  readonly promptTokens: number;
  readonly variant: MarkerVariant | undefined;
}

const SOURCE = /<source-([0-9a-f]+) number="(\d+)" title="[^"]*">\n([\s\S]*?)\n<\/source-\1>/g;
const REFUSES_EMPTY = "'$.input' is invalid. Please check the API reference.";

/**
 * OpenAI's interface, at `/v1` and at Azure's paths: models, embeddings (numbers or base64, `dimensions`, no empty input), chat
 * completions (whole or as SSE with `stream_options.include_usage`), and `/rerank` as Jina and as TEI answer it.
 */
export class OpenAiDouble extends ProviderDouble {
  /** Length of the vectors where a request asks for none. */
  dimensions = 64;
  /** How `/rerank` reads and answers. */
  rerankShape: 'jina' | 'tei' = 'jina';
  /** The key without which it answers 401; undefined: none is needed. */
  key: string | undefined;

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  protected errorBody(status: number, message: string): unknown {
    const type = status === 429 ? 'rate_limit_exceeded' : 'invalid_request_error';
    return { error: { message, type, param: null, code: null } };
  }

  protected async reply(request: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const path = request.path.replace(/^\/v1|^\/openai(?:\/deployments\/[^/]+)?/, '');
    const given = String(request.headers['authorization'] ?? request.headers['api-key'] ?? '').replace(/^Bearer /, '');
    if (this.key !== undefined && given !== this.key) return this.refuse(401, `Incorrect API key provided: ${given}.`);
    if (path === '/models') return { status: 200, body: { object: 'list', data: [{ id: 'double', object: 'model' }] } };
    if (path === '/embeddings') return this.embeddings(request, fault);
    if (path === '/rerank') return this.rerank(request, fault);
    if (path === '/chat/completions') return this.chat(request, fault);
    return this.refuse(404, `Unknown request URL: ${request.method} ${request.path}`);
  }

  private refuse(status: number, message: string): DoubleReply {
    return { status, body: this.errorBody(status, message) };
  }

  private async embeddings({ body }: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const texts = [body['input']].flat() as string[];
    if (texts.length === 0 || texts.some((text) => text === '')) return this.refuse(400, REFUSES_EMPTY);
    const wanted = typeof body['dimensions'] === 'number' ? body['dimensions'] : this.dimensions;
    const dimensions = fault?.kind === 'wrong_dimension' ? wanted + 1 : wanted;
    const vectors = await embedAsDouble(texts, dimensions);
    if (fault?.kind === 'nan') vectors[0]![0] = NaN;
    if (fault?.kind === 'fewer') vectors.pop();
    const isBase64 = body['encoding_format'] === 'base64';
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isBase64 ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector,
    }));
    const tokens = tokensOf(texts);
    const usage = fault?.kind === 'no_usage' ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } };
    return {
      status: 200,
      body: { object: 'list', data: fault?.kind === 'empty' ? [] : data, model: body['model'], ...usage },
    };
  }

  private async rerank({ body }: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const field = this.rerankShape === 'tei' ? 'texts' : 'documents';
    const documents = body[field];
    if (!Array.isArray(documents)) {
      const message = `Failed to deserialize the JSON body into the target type: missing field \`${field}\``;
      return { status: 422, body: { error: message, error_type: 'Validation' } };
    }
    const given = documents as string[];
    const read = this.answerer === undefined ? given : asReadInAllLanguages(this.answerer, given);
    const scores = await rerankAsDouble(String(body['query']), read);
    if (fault?.kind === 'fewer') scores.pop();
    const ranked = scores.map((score, index) => ({ index, score })).sort((a, b) => b.score - a.score);
    if (this.rerankShape === 'tei') return { status: 200, body: fault?.kind === 'empty' ? [] : ranked };
    const value = (score: number): number | null => (fault?.kind === 'nan' ? null : score);
    const results = ranked.map(({ index, score }) => ({ index, relevance_score: value(score) }));
    return { status: 200, body: { model: body['model'], results: fault?.kind === 'empty' ? [] : results } };
  }

  private async chat({ body }: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply> {
    const answer = await this.answer(body, fault);
    if (body['stream'] === true) return { stream: this.events(body, answer, fault) };
    const message = fault?.kind === 'tool_call' ? TOOL_MESSAGE : { role: 'assistant', content: answer.pieces.join('') };
    const choices = [{ index: 0, message, finish_reason: answer.finishReason, logprobs: null }];
    return { status: 200, body: { ...head(body, 'chat.completion'), choices, usage: usageOf(answer) } };
  }

  private async answer(body: DoubleRequest['body'], fault: Fault | undefined): Promise<Answer> {
    const messages = body['messages'] as Message[];
    const variant = this.variantOf(body, fault);
    const text = await textOf(messages, variant, fault, this.answerer);
    const all = piecesOf(text, variant);
    const most = Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? Infinity);
    const stops = [body['stop'] ?? []].flat() as string[];
    const pieces = stopAt(all, stops).slice(0, most);
    const isCut = pieces.length === most && all.length > most;
    const filtered = fault?.kind === 'content_filter' ? fault.after : Infinity;
    const finishReason =
      fault?.kind === 'content_filter'
        ? 'content_filter'
        : fault?.kind === 'tool_call'
          ? 'tool_calls'
          : isCut
            ? 'length'
            : 'stop';
    const promptTokens = tokensOf(messages.map(({ content }) => content));
    return { pieces: pieces.slice(0, filtered), finishReason, promptTokens, variant };
  }

  private variantOf(body: DoubleRequest['body'], fault: Fault | undefined): MarkerVariant | undefined {
    if (fault?.kind === 'markers') return fault.variant;
    return this.variesBySeed && typeof body['seed'] === 'number' ? variantOfSeed(body['seed']) : undefined;
  }

  private async *events(
    body: DoubleRequest['body'],
    answer: Answer,
    fault: Fault | undefined,
  ): AsyncGenerator<string | Buffer> {
    const top = head(body, 'chat.completion.chunk');
    const event = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ ...top, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    yield event({ role: 'assistant', content: '' });
    if (fault?.kind === 'malformed') {
      yield 'data: {"id": "chatcmpl-double", "choices": [{"ind\n\n';
      return;
    }
    while (fault?.kind === 'endless') yield event({ content: fault.text });
    if (fault?.kind === 'tool_call') yield event({ tool_calls: [{ index: 0, ...TOOL_MESSAGE.tool_calls[0] }] });
    for (const [at, piece] of [...answer.pieces, ''].entries()) {
      if (fault?.kind === 'cut' && at === fault.after) {
        if (fault.how === 'broken') throw new Broken();
        return;
      }
      if (fault?.kind === 'stall' && at === fault.after) await forever();
      if (fault?.kind === 'stream_error' && at === fault.after) {
        yield `data: ${JSON.stringify(this.errorBody(500, fault.message))}\n\n`;
        return;
      }
      if (piece === '') continue;
      if (answer.variant === 'inside_character') yield* insideCharacter(event({ content: piece }));
      else yield event({ content: piece });
    }
    yield event({}, answer.finishReason);
    const wantsUsage = (body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true;
    if (wantsUsage && fault?.kind !== 'no_usage') {
      yield `data: ${JSON.stringify({ ...top, choices: [], usage: usageOf(answer) })}\n\n`;
    }
    yield 'data: [DONE]\n\n';
  }
}

const TOOL_MESSAGE = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } }],
};

function head(body: DoubleRequest['body'], object: string): object {
  return { id: 'chatcmpl-double', object, created: 1_700_000_000, model: body['model'] };
}

function usageOf({ promptTokens, pieces }: Answer): object {
  const total = promptTokens + pieces.length;
  return { prompt_tokens: promptTokens, completion_tokens: pieces.length, total_tokens: total };
}

async function textOf(
  messages: readonly Message[],
  variant: MarkerVariant | undefined,
  fault: Fault | undefined,
  answerer: Answerer | undefined,
): Promise<string> {
  if (fault?.kind === 'text') return fault.text;
  if (fault?.kind === 'empty' || fault?.kind === 'tool_call') return '';
  const last = messages.at(-1)?.content ?? '';
  const instructions = messages[0]?.content ?? '';
  if (asksForGraph(instructions, last))
    return graphAsDouble(instructions, last, fault?.kind === 'graph' ? fault.variant : undefined);
  const sources = [...last.matchAll(SOURCE)].map(([, , number, text]): DoubleSource => ({
    number: Number(number),
    text: text!,
  }));
  const asked = last.slice(last.lastIndexOf('Question: ') + 10);
  if (sources.length === 0) return `You said: ${last}`;
  if (answerer !== undefined) return answerLike(answerer, asked, sources);
  const found = await answerAsDouble(asked, sources);
  return found === undefined ? REFUSAL : withMarker(found.text, found.number, sources.length, variant);
}

/** The pieces before the first of the texts that end an answer. */
function stopAt(pieces: readonly string[], stops: readonly string[]): string[] {
  const text = pieces.join('');
  const at = Math.min(...stops.map((stop) => text.indexOf(stop)).filter((found) => found !== -1));
  if (!Number.isFinite(at)) return [...pieces];
  const kept: string[] = [];
  for (const piece of pieces) {
    const left = at - kept.join('').length;
    if (left <= 0) break;
    kept.push(piece.slice(0, left));
  }
  return kept;
}
