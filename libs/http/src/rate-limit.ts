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
import { rateLimitsOf, Settings, type RateLimitClass, type RateLimits } from '#libs/config';
import { NOWHERE_TENANT } from '#libs/common';
import { networkOf, type ContextRequest } from '#libs/tenancy';
import { httpErrors } from './http.errors.js';

/** Requests are counted in windows of this length. */
export const RATE_LIMIT_WINDOW_SECONDS = 60;

const RATE_LIMIT_CLASS = Symbol('rate limit class');
const RATE_LIMIT_COST = Symbol('rate limit cost');
const UNLIMITED = Symbol('no rate limit');

/** Extension of an operation in the description: its class of rate limits, or `none`. */
export const RATE_LIMIT_EXTENSION = 'x-rate-limit';

/** Extension of an operation that costs more than one request of its class: as how many it counts. */
export const RATE_LIMIT_COST_EXTENSION = 'x-rate-limit-cost';

/** Counts requests of a route in this class instead of `default`, each as `cost` requests. */
export const RateLimit = (name: RateLimitClass, cost = 1): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(RATE_LIMIT_CLASS, name),
    SetMetadata(RATE_LIMIT_COST, cost),
    ApiExtension(RATE_LIMIT_EXTENSION, name),
    ...(cost === 1 ? [] : [ApiExtension(RATE_LIMIT_COST_EXTENSION, cost)]),
  );

/** Marks a route without a rate limit: probes and the description. */
export const Unlimited = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(UNLIMITED, true), ApiExtension(RATE_LIMIT_EXTENSION, 'none'));

/** Counts requests in fixed windows, per credential and per tenant. */
@Injectable()
export class RequestCounter {
  constructor(
    private readonly cache: Cache,
    private readonly settings: Settings,
  ) {}

  /**
   * Counts a request in a class, and sets the headers of the counter with the fewest requests left. The credential is checked first: a request
   * that is refused for its credential does not use up the limit of the tenant. The request counts as `cost` requests, at most as the whole
   * limit.
   * @throws `http.rate_limited` beyond the limit
   */
  async count(name: RateLimitClass, request: ContextRequest, reply: FastifyReply, cost = 1): Promise<void> {
    if (this.settings.values.rateLimits === 'off') return;
    let least = Number.POSITIVE_INFINITY;
    for (const { whose, key, limit } of countersOf(request, rateLimitsOf(this.settings.values)[name])) {
      const counter = await this.cache.increment(
        `ratelimit:${name}:${key}`,
        RATE_LIMIT_WINDOW_SECONDS * 1000,
        Math.min(cost, limit),
      );
      const reset = Math.ceil(counter.expiresInMs / 1000);
      const left = limit - counter.value;
      if (left < least) tellOf(reply, { limit, remaining: Math.max(0, left), reset });
      least = Math.min(least, left);
      if (left < 0) {
        const facts = { limit, window: RATE_LIMIT_WINDOW_SECONDS, routes: name, whose };
        throw httpErrors.rate_limited(facts, { retryAfter: reset });
      }
    }
  }
}

/** Counts every request of a route that is not `@Unlimited`, before its handler runs. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly counter: RequestCounter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(UNLIMITED, targets)) return next.handle();
    const name = this.reflector.getAllAndOverride<RateLimitClass | undefined>(RATE_LIMIT_CLASS, targets) ?? 'default';
    const cost = this.reflector.getAllAndOverride<number | undefined>(RATE_LIMIT_COST, targets);
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.counter.count(name, request, reply, cost)).pipe(switchMap(() => next.handle()));
  }
}

interface Counter {
  /** The party that the limit applies to, in words. */
  readonly whose: string;
  readonly key: string;
  readonly limit: number;
}

/** What counts a request, the narrower one first; a limit of 0 counts nothing. */
function countersOf(request: ContextRequest, limits: RateLimits): Counter[] {
  const tenantId = request.kbContext?.tenantId ?? NOWHERE_TENANT;
  const counters: Counter[] = [{ ...callerOf(request), limit: limits.credential }];
  if (tenantId !== NOWHERE_TENANT) {
    counters.push({
      whose: 'all members and API keys of the tenant together',
      key: `tenant:${tenantId}`,
      limit: limits.tenant,
    });
  }
  return counters.filter(({ limit }) => limit > 0);
}

function tellOf(reply: FastifyReply, facts: { limit: number; remaining: number; reset: number }): void {
  void reply
    .header('RateLimit-Limit', String(facts.limit))
    .header('RateLimit-Remaining', String(facts.remaining))
    .header('RateLimit-Reset', String(facts.reset));
}

function callerOf(request: ContextRequest & FastifyRequest): Omit<Counter, 'limit'> {
  const principal = request.kbContext?.principal;
  if (principal?.kind === 'api_key') return { whose: 'this API key', key: `key:${principal.keyId}` };
  if (principal?.kind === 'account') return { whose: 'this account', key: `account:${principal.accountId}` };
  const address = createHash('sha256').update(networkOf(request.ip)).digest('hex').slice(0, 16);
  return { whose: 'this address', key: `address:${address}` };
}
