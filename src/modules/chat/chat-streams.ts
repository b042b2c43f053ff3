import { Injectable } from '@nestjs/common';
import { canonicalJson, type CatalogueError } from '#libs/common';
import type { Problem, SseEvent } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { PinoLogger } from 'nestjs-pino';
import { DatasetAccess } from '../datasets/index.js';
import { AnswerWriter } from './answer-writer.js';
import { chatErrors } from './chat.errors.js';
import { ChatTurns } from './chat-turns.js';
import { firstChunk, lastChunks, textChunk } from './completion-views.js';
import type { ChatCompletionChunk } from './dto/chat-completion-chunk.dto.js';
import type { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import { ownerOf, StreamBuffer } from './stream-buffer.js';
import { StreamRecord, type StreamRun } from './stream-record.js';

/** What a stream needs to know of the request that reads it. */
export interface StreamReader {
  /** Aborted when the reader leaves. */
  readonly signal: AbortSignal;
  /** The problem body for anything that is thrown after the first byte. */
  readonly describe: (thrown: unknown) => { readonly error: CatalogueError; readonly problem: Problem };
}

/** The end of every stream, as OpenAI's clients expect it. */
const DONE = '[DONE]';
const EVENT_ID = /^([0-9a-f]{32})\.(\d{1,9})$/;

/** Streamed answers and their resumption. */
@Injectable()
export class ChatStreams {
  constructor(
    private readonly turns: ChatTurns,
    private readonly writer: AnswerWriter,
    private readonly buffer: StreamBuffer,
    private readonly datasets: DatasetAccess,
    private readonly logger: PinoLogger,
  ) {}

  /** Begins to answer. What it throws itself, everything `ChatTurns.prepare` throws, is thrown before there is any event. */
  async open(
    ctx: RequestContext,
    request: ChatCompletionRequest,
    reader: StreamReader,
  ): Promise<AsyncIterable<SseEvent>> {
    const turn = await this.turns.prepare(ctx, request, reader.signal);
    const record = new StreamRecord(ownerOf(ctx), request, turn);
    this.buffer.keep(record);
    return this.answer(ctx, record, reader, { from: 0, sent: '' });
  }

  /**
   * Goes on behind the event with the given id. A complete answer is replayed, a running one followed. One that was cut
   * because its reader had left is searched and asked again, with today's rights; it goes on when the sources and the text
   * are the same as before, as they are with a model without chance.
   * @throws `chat.stream_not_found`, `chat.stream_changed`, `datasets.not_found`.
   */
  async resume(ctx: RequestContext, lastEventId: string, reader: StreamReader): Promise<AsyncIterable<SseEvent>> {
    const [, id, index] = EVENT_ID.exec(lastEventId) ?? [];
    const record = id === undefined ? undefined : this.buffer.find(ctx, id);
    const from = Number(index) + 1;
    if (record === undefined || from > record.size) throw chatErrors.stream_not_found({});
    await this.datasets.requireAllVisible(ctx, record.turn.datasetIds);
    if (record.state !== 'cut') return record.read(from, reader.signal);
    const turn = await this.turns.prepare(ctx, record.request, reader.signal);
    if (canonicalJson(turn.sources) !== canonicalJson(record.turn.sources)) throw chatErrors.stream_changed({});
    // Another resumption of the same stream may have been faster.
    if (record.state !== 'cut') return record.read(from, reader.signal);
    return this.answer(ctx, record, reader, { from, sent: textOf(record) });
  }

  private answer(
    ctx: RequestContext,
    record: StreamRecord,
    reader: StreamReader,
    { from, sent }: { from: number; sent: string },
  ): AsyncIterable<SseEvent> {
    const run = record.start();
    const events = record.read(from, reader.signal);
    void this.produce(ctx, record, run, reader, sent);
    return events;
  }

  /** Never rejects: what goes wrong becomes the last event. */
  private async produce(
    ctx: RequestContext,
    record: StreamRecord,
    run: StreamRun,
    reader: StreamReader,
    sent: string,
  ): Promise<void> {
    const { turn } = record;
    const add = (chunk: ChatCompletionChunk): void => run.add(JSON.stringify(chunk));
    let unsent = sent;
    try {
      if (record.size === 0) add(firstChunk(turn));
      for await (const event of this.writer.write(ctx, turn, run.signal)) {
        if (event.kind === 'facts') {
          if (unsent !== '') throw chatErrors.stream_changed({});
          lastChunks(turn, event.facts).forEach(add);
          run.add(DONE);
          run.complete();
          return;
        }
        const text = skip(event.text, unsent);
        unsent = unsent.slice(event.text.length);
        if (text !== '') add(textChunk(turn, text, event.isRefusal));
      }
    } catch (thrown) {
      if (run.signal.aborted) return;
      const { error, problem } = reader.describe(thrown);
      if (error.status >= 500)
        this.logger.error({ err: thrown, code: error.code, requestId: turn.requestId }, 'chat.stream_failed');
      run.add(JSON.stringify(problem), 'error');
    } finally {
      run.complete();
    }
  }
}

/** What of a piece was not sent before. @throws `chat.stream_changed` when it is not what was sent. */
function skip(piece: string, sent: string): string {
  const common = Math.min(piece.length, sent.length);
  if (piece.slice(0, common) !== sent.slice(0, common)) throw chatErrors.stream_changed({});
  return piece.slice(common);
}

/** The text that the chunks of a stream have carried so far. */
function textOf(record: StreamRecord): string {
  return record
    .dataSoFar()
    .map((data) => (JSON.parse(data) as ChatCompletionChunk).choices[0]?.delta.content ?? '')
    .join('');
}
