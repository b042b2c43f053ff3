import { createHash } from 'node:crypto';
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
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, switchMap, type Observable } from 'rxjs';
import { Cache } from '#libs/cache';
import { Settings } from '#libs/config';
import type { ContextRequest } from '#libs/tenancy';
import { httpErrors } from './http.errors.js';

/** Requests per window for each class of routes, counted per credential, or per address where there is none. */
export const RATE_LIMIT_CLASSES = {
  search: { limit: 120, windowSeconds: 60 },
  chat: { limit: 30, windowSeconds: 60 },
  upload: { limit: 60, windowSeconds: 60 },
  login: { limit: 20, windowSeconds: 60 },
  default: { limit: 300, windowSeconds: 60 },
} as const;

export type RateLimitClass = keyof typeof RATE_LIMIT_CLASSES;

const RATE_LIMIT_CLASS = Symbol('rate limit class');
const UNLIMITED = Symbol('no rate limit');

/** Extension of an operation in the description: its class of rate limits, or `none`. */
export const RATE_LIMIT_EXTENSION = 'x-rate-limit';

/** Counts a route with this class instead of `default`. */
export const RateLimit = (name: RateLimitClass): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(RATE_LIMIT_CLASS, name), ApiExtension(RATE_LIMIT_EXTENSION, name));

/** Probes and the description are never refused for their number. */
export const Unlimited = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(UNLIMITED, true), ApiExtension(RATE_LIMIT_EXTENSION, 'none'));

/** Counts requests in fixed windows, tells the caller what is left, and refuses with 429 beyond the limit. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: Cache,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const targets = [context.getHandler(), context.getClass()];
    const unlimited = this.reflector.getAllAndOverride<boolean>(UNLIMITED, targets);
    if (unlimited || this.settings.values.rateLimits === 'off') return next.handle();
    const name = this.reflector.getAllAndOverride<RateLimitClass | undefined>(RATE_LIMIT_CLASS, targets) ?? 'default';
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.count(name, request, reply)).pipe(switchMap(() => next.handle()));
  }

  private async count(name: RateLimitClass, request: ContextRequest, reply: FastifyReply): Promise<void> {
    const { limit, windowSeconds } = RATE_LIMIT_CLASSES[name];
    const counter = await this.cache.increment(`ratelimit:${name}:${callerOf(request)}`, windowSeconds * 1000);
    const reset = Math.ceil(counter.expiresInMs / 1000);
    void reply
      .header('RateLimit-Limit', String(limit))
      .header('RateLimit-Remaining', String(Math.max(0, limit - counter.value)))
      .header('RateLimit-Reset', String(reset));
    if (counter.value > limit) {
      throw httpErrors.rate_limited({ limit, window: windowSeconds, routes: name }, { retryAfter: reset });
    }
  }
}

function callerOf(request: ContextRequest & FastifyRequest): string {
  const principal = request.kbContext?.principal;
  if (principal?.kind === 'api_key') return `key:${principal.keyId}`;
  if (principal?.kind === 'account') return `account:${principal.accountId}`;
  return `address:${createHash('sha256').update(request.ip).digest('hex').slice(0, 16)}`;
}
