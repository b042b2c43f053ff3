import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { ContextRequest } from '#libs/tenancy';
import { datasetsNamedIn } from './dataset-sight.port.js';
import { documentsNamedIn } from './document-sight.port.js';
import { hashRequest, IdempotencyService, replayedError } from './idempotency.service.js';
import type { KeptResponse } from './kept-response.js';

const OWN_IDEMPOTENCY = Symbol('own idempotency');

/** Extension of an operation in the description: `none` where `Idempotency-Key` has no effect. */
export const IDEMPOTENCY_EXTENSION = 'x-idempotency';

/**
 * Marks a POST without effects, on which `Idempotency-Key` has no effect; with `handledByRoute`, one that handles the key itself because its body
 * is a stream.
 */
export const WithoutIdempotency = (options: { handledByRoute?: boolean } = {}): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(OWN_IDEMPOTENCY, true),
    ApiExtension(IDEMPOTENCY_EXTENSION, options.handledByRoute === true ? 'own' : 'none'),
  );

const SHOWN_ONCE = Symbol('shown once');

/** Names a secret field of the response: only the first response contains it; it is never stored or repeated. */
export const ShownOnce = (field: string): MethodDecorator => SetMetadata(SHOWN_ONCE, field);

const KEPT_HEADERS = ['location', 'etag'] as const;

/** `Idempotency-Key` on every POST: the handler runs inside one transaction together with the record of its result. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const key = request.headers['idempotency-key'];
    const own = this.reflector.getAllAndOverride<boolean>(OWN_IDEMPOTENCY, [context.getHandler(), context.getClass()]);
    if (request.method !== 'POST' || key === undefined || own || request.kbContext === undefined) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const shownOnce = this.reflector.get<string | undefined>(SHOWN_ONCE, context.getHandler());
    return from(this.runOnce(String(key), request, reply, next, shownOnce));
  }

  private async runOnce(
    key: string,
    request: ContextRequest,
    reply: FastifyReply,
    next: CallHandler,
    shownOnce: string | undefined,
  ): Promise<unknown> {
    const ctx = request.kbContext!;
    const route = `POST ${request.routeOptions.url ?? request.url}`;
    const bodyHash = await hashRequest(request.url, request.body, `${ctx.tenantId}:${key}`);
    let first: unknown;
    const datasetIds = [...datasetsInPath(request), ...datasetsNamedIn(request.body)];
    const documentIds = [...documentsInPath(request), ...documentsNamedIn(request.body)];
    const once = { key, route, bodyHash, datasetIds, documentIds };
    const outcome = await this.idempotency.run(ctx, once, async (inner) => {
      request.kbContext = inner;
      first = (await lastValueFrom(next.handle(), { defaultValue: null })) as unknown;
      return describe(reply, withoutField(first, shownOnce));
    });
    if (!outcome.replayed) return first;
    const error = replayedError(outcome);
    if (error) throw error;
    void reply.status(outcome.status).headers(outcome.headers).header('Idempotency-Replayed', 'true');
    return outcome.body;
  }
}

function datasetsInPath({ routeOptions, params }: ContextRequest): readonly string[] {
  return /\/datasets\/:id(\/|$)/.test(routeOptions.url ?? '') ? [(params as { id: string }).id] : [];
}

function documentsInPath({ params }: ContextRequest): readonly string[] {
  const { document_id: id } = (params ?? {}) as { document_id?: string };
  return id === undefined ? [] : [id];
}

function withoutField(body: unknown, field: string | undefined): unknown {
  if (field === undefined || body === null || typeof body !== 'object') return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}

function describe(reply: FastifyReply, body: unknown): KeptResponse {
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: reply.statusCode, headers, body: body ?? null };
}
