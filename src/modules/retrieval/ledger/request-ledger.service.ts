import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { OneByOne, type TenantId } from '#libs/common';
import { Metrics } from '#libs/metrics';
import type { LedgerEntry, PendingEntry } from './request-ledger.entity.js';
import { RequestLedgerRepository } from './request-ledger.repository.js';

/** Maximum time that entries wait to be written together with others. */
const WAIT_MS = 100;
/** This many entries are written by one statement. */
const BATCH = 100;
/** Maximum number of waiting entries; when the database falls further behind, the oldest entries are lost. */
const WAITING_MAX = 2_000;
/** Pause after a write that failed; the entries stay. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** Time after which an entry that could not be written is dropped, so that it does not hold up the others. */
const GIVEN_UP_AFTER_MS = 120_000;

/**
 * Records answered requests after their response, so that no request waits for the ledger or fails because of it. Entries are written in batches,
 * and all of them before a regular stop of the process. Lost entries are counted (`kb_request_ledger_lost`).
 */
@Injectable()
export class RequestLedger implements OnModuleInit, OnApplicationShutdown {
  private waiting: PendingEntry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly writing = new OneByOne();
  private lost = 0;
  private failures = 0;

  constructor(
    private readonly repository: RequestLedgerRepository,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
  ) {}

  onModuleInit(): void {
    const one = (value: number): { labels: Record<string, string>; value: number }[] => [{ labels: {}, value }];
    const waiting = 'Answered requests that are not yet in the ledger.';
    this.metrics.addGauge('kb_request_ledger_waiting', waiting, [], async () => one(this.waiting.length));
    const lost = 'Answered requests that this process could not write into the ledger.';
    this.metrics.addGauge('kb_request_ledger_lost', lost, [], async () => one(this.lost));
    const failures = 'Writes of the ledger that failed; each is tried again.';
    this.metrics.addGauge('kb_request_ledger_write_failures', failures, [], async () => one(this.failures));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    const left = this.waiting.length;
    this.waiting = [];
    clearTimeout(this.timer);
    if (left > 0) this.lose(left);
  }

  /** Records an answered request; returns at once and never throws. */
  record(tenantId: TenantId, entry: LedgerEntry): void {
    this.waiting.push({ tenantId, entry });
    if (this.waiting.length > WAITING_MAX) {
      this.waiting.shift();
      this.lose(1);
    }
    this.schedule(WAIT_MS);
  }

  /**
   * Writes the waiting entries, for callers that read a request that they have just made. Also resolves when writing fails; the entries then
   * continue to wait.
   */
  async flush(): Promise<void> {
    await this.writing.run(async () => {
      let isWritten = true;
      while (isWritten && this.waiting.length > 0) isWritten = await this.writeBatch();
    });
  }

  private schedule(ms: number): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, ms);
    this.timer.unref();
  }

  /** Whether it was written. */
  private async writeBatch(): Promise<boolean> {
    const batch = this.waiting.splice(0, BATCH);
    const tenants = new Map<TenantId, LedgerEntry[]>();
    for (const { tenantId, entry } of batch) tenants.set(tenantId, [...(tenants.get(tenantId) ?? []), entry]);
    for (const [tenantId, entries] of tenants) {
      try {
        await this.repository.add(tenantId, entries);
        tenants.delete(tenantId);
      } catch (error) {
        this.failures += 1;
        this.logger.warn({ err: error, entries: entries.length }, 'request_ledger.write_failed');
        this.keep(batch.filter((pending) => tenants.has(pending.tenantId)));
        this.schedule(PAUSE_AFTER_FAILURE_MS);
        return false;
      }
    }
    return true;
  }

  private keep(batch: readonly PendingEntry[]): void {
    const oldest = Date.now() - GIVEN_UP_AFTER_MS;
    const young = batch.filter(({ entry }) => entry.created_at.getTime() > oldest);
    const all = [...young, ...this.waiting];
    this.waiting = all.slice(-WAITING_MAX);
    const lost = batch.length - young.length + all.length - this.waiting.length;
    if (lost > 0) this.lose(lost);
  }

  private lose(count: number): void {
    this.lost += count;
    this.logger.warn({ count, lost: this.lost }, 'request_ledger.entries_lost');
  }
}
