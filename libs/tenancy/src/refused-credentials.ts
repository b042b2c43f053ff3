import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache } from '#libs/cache';
import { CatalogueError } from '#libs/common';
import { Settings } from '#libs/config';
import type { Client } from './client.js';
import { networkOf } from './network-of.js';
import { SecurityLog, type SecurityFacts } from './security-log.js';
import { authErrors } from './tenancy.errors.js';

/** Seconds in which refused credentials of one network are counted. */
export const REFUSED_WINDOW_SECONDS = 60;
/** Seconds for which a credential counts as accepted lately. */
const ACCEPTED_SECONDS = 3_600;
/** Accepted credentials that this process remembers by itself, so that it need not ask the cache at each request. */
const MOST_REMEMBERED = 10_000;

interface Remembered {
  /** By `performance.now()`. */
  readonly until: number;
  /** False when other processes could not be told. */
  readonly isNoted: boolean;
}

/**
 * Counts refused credentials per network, before anything is asked of the database. A credential that was accepted or issued
 * lately is looked at whatever others of its network send. Counters and digests of accepted credentials lie in the cache; while
 * that is away each process counts for itself, and knows of the accepted ones those that it has seen itself.
 */
@Injectable()
export class RefusedCredentials {
  /** By digest, the oldest first. */
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly cache: Cache,
    private readonly settings: Settings,
    private readonly security: SecurityLog,
  ) {}

  /** @throws `auth.too_many_refused` for a credential that no one knows yet, from a network with too many refused ones */
  async admit(credential: string, client: Client): Promise<void> {
    if (!this.counts || this.isRemembered(digestOf(credential))) return;
    const refused = await this.cache.increment(counterOf(client), REFUSED_WINDOW_SECONDS * 1000, 0);
    if (refused.value < this.limit) return;
    if ((await this.orNothing(() => this.cache.get(acceptedKey(digestOf(credential))))) === '1') return;
    throw authErrors.too_many_refused(
      { limit: this.limit, seconds: REFUSED_WINDOW_SECONDS },
      { retryAfter: Math.ceil(refused.expiresInMs / 1000) },
    );
  }

  /** Remembers a credential that was accepted, or has just been issued. */
  async noteAccepted(credential: string): Promise<void> {
    if (!this.counts) return;
    const digest = digestOf(credential);
    if (this.isRemembered(digest) && this.remembered.get(digest)!.isNoted) return;
    const note = async (): Promise<true> => {
      await this.cache.set(acceptedKey(digest), '1', ACCEPTED_SECONDS * 1000);
      return true;
    };
    this.remember(digest, false);
    if ((await this.orNothing(note)) === true) this.remember(digest, true);
  }

  /** Counts a refused credential and logs it; it is not accepted lately any more. */
  async noteRefused(credential: string, client: Client, facts: SecurityFacts): Promise<void> {
    this.security.note('auth.credential_refused', client, facts);
    if (!this.counts) return;
    const digest = digestOf(credential);
    this.remembered.delete(digest);
    await this.orNothing(() => this.cache.delete(acceptedKey(digest)));
    const refused = await this.cache.increment(counterOf(client), REFUSED_WINDOW_SECONDS * 1000);
    if (refused.value === this.limit) this.security.note('auth.address_blocked', client);
  }

  /** Logs a refused refresh token: it works once, so there is nothing to guess and nothing to count. */
  noteRefusedRefresh(client: Client, facts: SecurityFacts): void {
    this.security.note('auth.refresh_refused', client, facts);
  }

  private get counts(): boolean {
    return this.settings.values.rateLimits === 'on';
  }

  private get limit(): number {
    return this.settings.values.refusedCredentialsPerMinute;
  }

  private isRemembered(digest: string): boolean {
    return (this.remembered.get(digest)?.until ?? 0) > performance.now();
  }

  /** For half of the time that the cache keeps it, so that what is in use never runs out there. */
  private remember(digest: string, isNoted: boolean): void {
    this.remembered.delete(digest);
    this.remembered.set(digest, { until: performance.now() + ACCEPTED_SECONDS * 500, isNoted });
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
  }

  /** What a cache that is away would have said or kept is missed. */
  private async orNothing<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof CatalogueError && error.code === 'cache.unavailable') return undefined;
      throw error;
    }
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function counterOf(client: Client): string {
  return `auth:refused:${digestOf(networkOf(client.address))}`;
}

function acceptedKey(digest: string): string {
  return `auth:accepted:${digest}`;
}
