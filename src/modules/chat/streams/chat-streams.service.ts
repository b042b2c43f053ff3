import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { CatalogueError } from '#libs/common';
import { Drain, httpErrors, type Problem, type SseEvent } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { chatErrors } from '../chat.errors.js';
import { ChatTurns } from '../asking/chat-turns.service.js';
import { firstChunk, lastChunks, textChunk } from '../turn/completion-views.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import { KeptAnswers } from '../asking/kept-answers.service.js';
import { SharedStreams } from './shared-streams.service.js';
import { ownerOf, StreamBuffer } from './stream-buffer.service.js';
import { StreamRecord } from './stream-record.js';

/** What a stream needs to know of the request that reads it. */
export interface StreamReader {
  /** Aborted when the reader leaves, or loses the right to the stream. */
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
    private readonly answers: KeptAnswers,
    private readonly buffer: StreamBuffer,
    private readonly shared: SharedStreams,
    private readonly datasets: DatasetAccess,
    private readonly drain: Drain,
    private readonly logger: PinoLogger,
  ) {}

  /**
   * Begins the answer, and resolves when the model has written its first word or the answer is refused. Earlier errors are thrown before there is
   * any event.
   * @throws what `ChatTurns.prepare` and the model throw; the signal's reason when the reader leaves before.
   */
  async open(
    ctx: RequestContext,
    request: ChatCompletionRequest,
    reader: StreamReader,
  ): Promise<AsyncIterable<SseEvent>> {
    const turn = await this.turns.prepare(ctx, request, reader.signal);
    const record: StreamRecord = new StreamRecord({
      owner: ownerOf(ctx),
      datasetIds: turn.datasetIds,
      isResumable: request.stream_options?.resumable === true,
      textData: textDataOf(turn),
      stoppedData: () => stoppedData(reader),
      isReadElsewhere: () => this.shared.isRead(record.id),
    });
    const events = record.read(0, reader.signal);
    await this.begin(ctx, record, turn, reader);
    this.buffer.keep(record);
    if (request.stream_options?.resumable === true) this.drain.hold(this.shared.publish(record));
    return events;
  }

  /** Whether another process can continue the stream of this request. */
  isResumedElsewhere(request: ChatCompletionRequest): boolean {
    return this.shared.isShared && request.stream_options?.resumable === true;
  }

  /**
   * Continues after the event with the given id: a complete or stopped answer is replayed, a running one is followed.
   * @throws `chat.stream_not_found`, `datasets.not_found`, `cache.unavailable`.
   */
  async resume(ctx: RequestContext, lastEventId: string, reader: StreamReader): Promise<AsyncIterable<SseEvent>> {
    const [, id, index] = EVENT_ID.exec(lastEventId) ?? [];
    if (id === undefined) throw chatErrors.stream_not_found({});
    const from = Number(index) + 1;
    const record = this.buffer.find(ctx, id);
    const elsewhere = record === undefined ? await this.shared.find(ctx, id) : undefined;
    const found = record ?? elsewhere;
    // The events of another process come with a short delay: one that its reader has seen may not be there yet.
    if (found === undefined || (record !== undefined && from > record.size)) throw chatErrors.stream_not_found({});
    await holdDatasets(ctx, this.datasets, found.datasetIds);
    return elsewhere === undefined
      ? record!.read(from, reader.signal)
      : this.shared.follow(elsewhere, from, reader.signal, () => stoppedData(reader));
  }

  /** Resolves or rejects when it is decided whether there is a stream; the rest is made in the background. */
  private begin(ctx: RequestContext, record: StreamRecord, turn: ChatTurn, reader: StreamReader): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const { cuttingOff } = this.drain;
    const cutOff = (): void => {
      const { problem } = reader.describe(httpErrors.stream_cut_off({}));
      record.cutOff(JSON.stringify(problem), 'The service is stopping.');
    };
    cuttingOff.addEventListener('abort', cutOff, { once: true });
    void this.produce(ctx, record, turn, begun.resolve)
      .catch((thrown: unknown) => {
        this.noteFailure(record, turn, reader, thrown);
        begun.reject(thrown);
      })
      .finally(() => cuttingOff.removeEventListener('abort', cutOff));
    return begun.promise;
  }

  /** A stream that has begun says in its last event what went wrong. */
  private noteFailure(record: StreamRecord, turn: ChatTurn, reader: StreamReader, thrown: unknown): void {
    if (record.size > 0 && !record.isEnded) {
      const { error, problem } = reader.describe(thrown);
      if (error.status >= 500)
        this.logger.error({ err: thrown, code: error.code, requestId: turn.requestId }, 'chat.stream_failed');
      record.addData(JSON.stringify(problem), 'error');
    }
    record.end();
  }

  private async produce(ctx: RequestContext, record: StreamRecord, turn: ChatTurn, begin: () => void): Promise<void> {
    for await (const event of this.answers.write(ctx, turn, record.signal)) {
      if (record.size === 0) record.addData(JSON.stringify(firstChunk(turn)));
      begin();
      if (event.kind === 'text') {
        if (event.isRefusal) record.addData(JSON.stringify(textChunk(turn, event.text, true)));
        else record.addText(event.text);
        if (record.isFull) await record.room();
      } else if (event.kind === 'facts') {
        for (const chunk of lastChunks(turn, event.facts)) record.addData(JSON.stringify(chunk));
        record.addData(DONE);
        record.end();
      }
    }
  }
}

/** Keeps of the turn only what every chunk names, not its sources. */
function textDataOf({ id, created, model }: ChatTurn): (text: string) => string {
  return (text) => JSON.stringify(textChunk({ id, created, model }, text, false));
}

function stoppedData(reader: StreamReader): string {
  return JSON.stringify(reader.describe(chatErrors.stream_stopped({})).problem);
}

/**
 * What is answered rests on these datasets: they must be visible now, and as long as the answer takes where it is watched over.
 * @throws `datasets.not_found`
 */
async function holdDatasets(
  ctx: RequestContext,
  access: Pick<DatasetAccess, 'requireAllVisible'>,
  datasetIds: readonly string[],
): Promise<void> {
  const check = (now: RequestContext): Promise<unknown> => access.requireAllVisible(now, datasetIds);
  await check(ctx);
  ctx.held?.require(`datasets:${datasetIds.join()}`, check);
}
