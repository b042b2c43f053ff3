import { Server as NetServer } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PinoLogger } from 'nestjs-pino';
import { delay } from '#libs/common';
import { httpErrors } from '../http.errors.js';
import { sendProblem } from '../problem.filter.js';
import { ConnectionActivity } from './connection-activity.js';

const SHORT_MS = 1;
/** After which a loop that is never that quick is waited for no longer. */
const GIVEN_UP_MS = 250;

declare module 'fastify' {
  interface FastifyInstance {
    /** The drain of this server; undefined in servers without one. */
    drain?: Drain;
  }
}

const RETRY_SECONDS = 5;
const LOOK_MS = 20;
/**
 * Milliseconds for which connections without a request stay open after the address was closed, after the last response and after the last byte on
 * any of them: a client may be sending a request at that moment, and a proxy cannot repeat a POST on a connection that is closed meanwhile.
 */
const QUIET_MS = 300;
/** Share of the time after which streams that another process can go on with are passed on. */
const HANDOVER = 0.75;
/** In which the last events and answers are written before connections are cut. */
const LAST_WORDS_MS = 1_000;

type Phase = 'serving' | 'leaving' | 'draining' | 'over';

/**
 * Stops a server in order: first it announces the stop while it still serves requests (`leave`), then it accepts no more connections and waits
 * for requests under way, for a limited time (`run`).
 */
@Injectable()
export class Drain {
  private phase: Phase = 'serving';
  private readonly open = new Set<FastifyReply>();
  private readonly held = new Set<Promise<unknown>>();
  private readonly closing = new AbortController();
  private readonly handover = new AbortController();
  private readonly cutOff = new AbortController();
  private readonly connections = new ConnectionActivity();
  private lastBusyAt = 0;

  constructor(private readonly logger: PinoLogger) {}

  /** Whether the process is about to stop: nothing new should be sent to it. */
  get isLeaving(): boolean {
    return this.phase !== 'serving';
  }

  /** Aborted when the address is closed: streams that would never end, and can be resumed at another process, have to end. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Aborted when streams that can be resumed at another process have to end. */
  get handingOver(): AbortSignal {
    return this.handover.signal;
  }

  /** Aborted when all that is still under way has to end. */
  get cuttingOff(): AbortSignal {
    return this.cutOff.signal;
  }

  /** Follows the requests of a server. To be called once, before its routes are made. */
  watch(fastify: FastifyInstance): void {
    fastify.decorate('drain', { getter: (): Drain => this });
    this.connections.watch(fastify.server);
    fastify.addHook('preClose', async () => {
      this.phase = 'over';
    });
    fastify.addHook('onRequest', async (_request, reply) => {
      this.begin(reply);
      if (this.phase === 'over') throw httpErrors.shutting_down({}, { retryAfter: RETRY_SECONDS });
    });
  }

  /** Has the drain wait for work that goes on behind an answer. */
  hold(work: Promise<unknown>): void {
    const settled: Promise<unknown> = Promise.allSettled([work]).then(() => this.held.delete(settled));
    this.held.add(settled);
  }

  /**
   * From now on readiness is refused. Requests are still served, and each response closes its connection, so that a load balancer opens the next
   * connection elsewhere and has no kept connection left when the address is closed.
   */
  leave(): void {
    if (this.phase !== 'serving') return;
    this.phase = 'leaving';
    for (const { raw } of this.open) raw.shouldKeepAlive = false;
  }

  /** Closes the server's address, and resolves when everything under way has ended, or was ended after `ms`. */
  async run(server: HttpServer, ms: number): Promise<void> {
    this.leave();
    const began = Date.now();
    this.phase = 'draining';
    await this.stopListening(server);
    this.lastBusyAt = Date.now();
    this.closing.abort(new Error('The service is stopping.'));
    this.logger.info({ requests: this.open.size, seconds: ms / 1000 }, 'service.draining');
    let isDone = await this.isQuietBy(began + ms * HANDOVER);
    if (!isDone) {
      this.handover.abort(new Error('The service is stopping.'));
      isDone = await this.isQuietBy(began + ms);
    }
    const cutOff = isDone ? 0 : await this.endAll();
    server.closeAllConnections();
    this.logger.info({ ms: Date.now() - began, cut_off: cutOff }, 'service.drained');
  }

  /** Closes the address alone: connections without a request are served once more. */
  private async stopListening(server: HttpServer): Promise<void> {
    // Connections that wait to be accepted are accepted before; the others would be reset.
    await shortTurn(() => this.connections.taken);
    if (server.listening) NetServer.prototype.close.call(server);
    // Fastify's servers for the further addresses of "localhost" end with it.
    server.emit('unref');
  }

  private begin(reply: FastifyReply): void {
    const { raw } = reply;
    this.open.add(reply);
    this.lastBusyAt = Date.now();
    raw.once('close', () => {
      this.open.delete(reply);
      this.lastBusyAt = Date.now();
    });
    // Answered with `Connection: close`.
    if (this.isLeaving) raw.shouldKeepAlive = false;
  }

  private get isBusy(): boolean {
    return this.open.size + this.held.size > 0;
  }

  /** False when there is still something under way at the time `end`. */
  private async isQuietBy(end: number): Promise<boolean> {
    for (;;) {
      if (await this.isQuiet()) return true;
      if (Date.now() >= end) return false;
      await delay(LOOK_MS);
    }
  }

  /** Whether connections may be closed at this moment. */
  private async isQuiet(): Promise<boolean> {
    if (this.hasSettled()) await shortTurn(() => this.connections.taken);
    return this.hasSettled();
  }

  private hasSettled(): boolean {
    if (this.connections.hasNews()) this.lastBusyAt = Date.now();
    if (this.isBusy) return false;
    return this.connections.count === 0 || Date.now() - this.lastBusyAt >= QUIET_MS;
  }

  /** Streams end with an event, what has no answer gets 503. Resolves to how many there were. */
  private async endAll(): Promise<number> {
    const count = this.open.size;
    this.handover.abort(new Error('The service is stopping.'));
    this.cutOff.abort(new Error('The service is stopping.'));
    for (const reply of this.open) {
      if (reply.sent || reply.raw.headersSent) continue;
      sendProblem(reply, httpErrors.shutting_down({}, { retryAfter: RETRY_SECONDS }), reply.request);
    }
    for (const end = Date.now() + LAST_WORDS_MS; this.isBusy && Date.now() < end;) await delay(LOOK_MS);
    return count;
  }
}

/**
 * Resolves after a turn of the event loop that took less than a millisecond and accepted no connection: then all connections and bytes that had
 * reached the process have been read from the system, and closing right afterwards loses none of them, however busy the process was before. A
 * turn accepts at most one waiting connection, so the number of connections so far, `taken`, is compared as well.
 */
async function shortTurn(taken: () => number): Promise<void> {
  const end = performance.now() + GIVEN_UP_MS;
  await turn();
  for (let [began, before] = [performance.now(), taken()]; ;) {
    await turn();
    const [now, after] = [performance.now(), taken()];
    if ((now - began <= SHORT_MS && after === before) || now >= end) return;
    [began, before] = [now, after];
  }
}
