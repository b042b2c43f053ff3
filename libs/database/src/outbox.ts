import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import type { JsonObject } from '#libs/common';
import { rowsOf } from './tenant-repository.js';
import { UnitOfWork, type TransactionContext } from './unit-of-work.js';

/** A job that was promised inside a transaction; `id` becomes the job's id, so that handing it over twice is one job. */
export interface OutboxRow {
  readonly id: string;
  readonly queue: string;
  readonly payload: JsonObject;
}

/** Promises of jobs, written in the transaction of the effect that needs them. */
@Injectable()
export class Outbox {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Writes jobs for `queue` with the transaction of `ctx`. */
  async add(ctx: TransactionContext, queue: string, payloads: readonly JsonObject[]): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) => insertRows(manager, queue, payloads));
    this.unitOfWork.afterCommit(ctx, () => this.notify());
  }

  /** Writes jobs that belong to no tenant's transaction. */
  async addAsSystem(queue: string, payloads: readonly JsonObject[]): Promise<void> {
    if (payloads.length === 0) return;
    await this.unitOfWork.runAsSystem((manager) => insertRows(manager, queue, payloads));
    this.notify();
  }

  /** Takes up to `limit` rows, oldest first, gives them to `deliver`, and removes them once it resolves. Returns how many. */
  async drain(limit: number, deliver: (rows: readonly OutboxRow[]) => Promise<void>): Promise<number> {
    return this.unitOfWork.runAsSystem(async (manager) => {
      const rows = await rowsOf<OutboxRow>(
        manager,
        `SELECT id, queue, payload FROM outbox ORDER BY created_at, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      if (rows.length === 0) return 0;
      await deliver(rows);
      await manager.query(`DELETE FROM outbox WHERE id = ANY($1)`, [rows.map((row) => row.id)]);
      return rows.length;
    });
  }

  /** Calls `listener` after a commit that added rows in this process. Returns the way to stop it. */
  onAdded(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

async function insertRows(
  manager: Parameters<typeof rowsOf>[0],
  queue: string,
  payloads: readonly JsonObject[],
): Promise<void> {
  if (payloads.length === 0) return;
  await manager.query(
    `INSERT INTO outbox (id, queue, payload) SELECT * FROM unnest($1::uuid[], $2::text[], $3::jsonb[])`,
    [payloads.map(() => newId()), payloads.map(() => queue), payloads.map((payload) => JSON.stringify(payload))],
  );
}
