import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Cache } from '#libs/cache';
import { NOWHERE_TENANT, MessageThrottle, reasonOf } from '#libs/common';
import { Settings } from '#libs/config';
import type { RequestContext } from '#libs/tenancy';
import { httpErrors } from '../http.errors.js';

/** How long the places of a process that says nothing more are counted by the others. */
const KEPT_MS = 30_000;
/** How often a process says how many it has. */
const BEAT_MS = 10_000;
/** Seconds after which a caller that was refused may try again. */
const RETRY_AFTER = 10;
/** Milliseconds between two messages about a cache that does not answer. */
const QUIET_MS = 30_000;

interface Bound {
  readonly key: string;
  /** The party that the limit applies to, in words. */
  readonly whose: string;
  readonly limit: number;
}

/**
 * Counts open streams of each caller and tenant: over all processes that share a cache, otherwise, and while the cache does not answer, in this
 * process only. Places of a process that has died are free again after half a minute.
 */
@Injectable()
export class StreamPlaces {
  private readonly taken = new Map<string, number>();
  private readonly holder = randomUUID();
  private readonly isShared: boolean;
  private readonly throttle = new MessageThrottle(QUIET_MS);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly cache: Cache,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {
    this.isShared = settings.values.redisUrl !== undefined;
  }

  /** Takes a place for a stream; resolves to a function that gives it back and may be called twice. @throws `http.too_many_streams` */
  async take(ctx: RequestContext): Promise<() => void> {
    const held: string[] = [];
    const leave = (): void => {
      for (const key of held.splice(0)) this.change(key, -1);
    };
    for (const bound of this.boundsOf(ctx)) {
      if (!(await this.enter(bound))) {
        leave();
        const { limit, whose } = bound;
        throw httpErrors.too_many_streams({ limit, whose }, { retryAfter: RETRY_AFTER });
      }
      held.push(bound.key);
    }
    return leave;
  }

  private boundsOf({ tenantId, principal }: RequestContext): Bound[] {
    const { maxStreamsPerPrincipal, maxStreamsPerTenant } = this.settings.values;
    const bounds: Bound[] = [];
    if (principal.kind === 'account')
      bounds.push({ key: `account:${principal.accountId}`, whose: 'this account', limit: maxStreamsPerPrincipal });
    if (principal.kind === 'api_key')
      bounds.push({ key: `key:${principal.keyId}`, whose: 'this API key', limit: maxStreamsPerPrincipal });
    if (tenantId !== NOWHERE_TENANT)
      bounds.push({ key: `tenant:${tenantId}`, whose: 'the tenant', limit: maxStreamsPerTenant });
    return bounds.filter(({ limit }) => limit > 0);
  }

  private async enter({ key, limit }: Bound): Promise<boolean> {
    // Counted before the cache is asked, so that requests that arrive together do not pass each other.
    if ((this.taken.get(key) ?? 0) >= limit) return false;
    this.change(key, 1);
    if (!this.isShared || (await this.isFreeElsewhere(key, limit))) return true;
    this.change(key, -1);
    return false;
  }

  /** A cache that is away refuses no one: then this process counts alone. */
  private async isFreeElsewhere(key: string, limit: number): Promise<boolean> {
    try {
      return await this.say(key, limit);
    } catch (error) {
      this.report(error);
      return true;
    }
  }

  private change(key: string, by: 1 | -1): void {
    const count = (this.taken.get(key) ?? 0) + by;
    if (count > 0) this.taken.set(key, count);
    else this.taken.delete(key);
    if (!this.isShared) return;
    if (by === -1) void this.tell(key);
    this.timer ??= setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  private async beat(): Promise<void> {
    if (this.taken.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    for (const key of this.taken.keys()) await this.tell(key);
  }

  /** Says how many this process has; what was said wrongly before is right again. */
  private async tell(key: string): Promise<void> {
    try {
      await this.say(key);
    } catch (error) {
      this.report(error);
    }
  }

  private say(key: string, most?: number): Promise<boolean> {
    return this.cache.hold(`streams:${key}`, this.holder, this.taken.get(key) ?? 0, KEPT_MS, most);
  }

  private report(error: unknown): void {
    this.throttle.pass((omitted) =>
      this.logger.warn({ reason: reasonOf(error), omitted }, 'http.streams_counted_alone'),
    );
  }
}
