import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogueError } from '#libs/common';
import { AccessWatch, type ContextRequest, type RequestContext, type WatchedAccess } from '#libs/tenancy';
import { toCatalogueError } from '../problem.filter.js';
import { toProblem, type Problem } from '../problem.js';
import { StreamPlaces } from './stream-places.js';

/** A long response, from the guard to its last byte. */
export class LongAnswer {
  /** Aborted when the caller leaves before it has the whole answer, or loses the right to it. */
  readonly signal: AbortSignal;
  /** Aborted with the error that says why, when the caller has lost the right to the answer. */
  readonly lost: AbortSignal;

  constructor(
    private readonly request: FastifyRequest,
    private readonly watched: WatchedAccess,
    left: AbortSignal,
  ) {
    this.lost = watched.signal;
    this.signal = AbortSignal.any([left, watched.signal]);
  }

  /** For services: through it they say what the answer rests on. */
  get ctx(): RequestContext {
    return this.watched.ctx;
  }

  /** To be called before a response is sent that took long to make. @throws what `lost` tells */
  confirm(): Promise<void> {
    return this.watched.confirm();
  }

  /** It ends with the access token that asked for it: for a stream that has no end of its own. */
  endWithToken(): void {
    this.watched.endWithToken();
  }

  /** The problem body for anything that is thrown after the first byte. */
  describe(thrown: unknown): { readonly error: CatalogueError; readonly problem: Problem } {
    const error = toCatalogueError(thrown, this.request);
    const path = this.request.url.split('?', 1)[0] ?? this.request.url;
    return { error, problem: toProblem(error, path, String(this.request.id)) };
  }
}

/** Watches over long responses: whether the caller may still have them, and how many streams are open. */
@Injectable()
export class LongAnswers {
  constructor(
    private readonly watch: AccessWatch,
    private readonly places: StreamPlaces,
  ) {}

  /** Watches over an answer until its reply has ended, however it ends. */
  watchOver(request: ContextRequest, reply: FastifyReply): LongAnswer {
    const left = new AbortController();
    const watched = this.watch.begin(request);
    const end = (): void => {
      watched.close();
      if (!reply.raw.writableFinished) left.abort(new Error('The reader has left.'));
    };
    if (reply.raw.destroyed) end();
    reply.raw.once('close', end);
    return new LongAnswer(request, watched, left.signal);
  }

  /**
   * As `watchOver`, for an answer that is a stream: it takes a place among those of its caller and tenant. `check` throws when what it
   * tells of must not be seen any more. @throws `http.too_many_streams`
   */
  async openStream(
    request: ContextRequest,
    reply: FastifyReply,
    check?: (ctx: RequestContext) => Promise<unknown>,
  ): Promise<LongAnswer> {
    const answer = this.watchOver(request, reply);
    if (check !== undefined) answer.ctx.held?.require(request.url.split('?', 1)[0] ?? request.url, check);
    const leave = await this.places.take(answer.ctx);
    if (reply.raw.destroyed) leave();
    reply.raw.once('close', leave);
    return answer;
  }
}
