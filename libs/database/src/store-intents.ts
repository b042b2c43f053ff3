import { Injectable } from '@nestjs/common';
import { newId, type JsonObject } from '#libs/common';
import { rowsOf } from './tenant-repository.js';
import { UnitOfWork, type TransactionContext } from './unit-of-work.js';

/** What may have to be removed from outside the database: rows of a generation in the vector store, or a stored file. */
export type StoreIntentKind = 'remove_generation' | 'remove_blob' | 'update_metadata';

export interface StoreIntent {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: StoreIntentKind;
  readonly subject: string;
  readonly payload: JsonObject;
}

/**
 * Removals that were recorded before the thing was written. Nothing outside the database is ever removed without one,
 * so that a crash at any moment leaves either the thing with its owner or the intent that takes it away.
 */
@Injectable()
export class StoreIntents {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Records an intent in the transaction of `ctx`; it is not carried out before `delaySeconds` have passed. */
  async add(
    ctx: TransactionContext,
    kind: StoreIntentKind,
    subject: string,
    payload: JsonObject,
    delaySeconds = 0,
  ): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(
        `INSERT INTO store_intents (id, tenant_id, kind, subject, payload, due_at)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
        [newId(), ctx.tenantId, kind, subject, payload, delaySeconds],
      ),
    );
  }

  /** The same for many at once. */
  async addAll(
    ctx: TransactionContext,
    kind: StoreIntentKind,
    intents: readonly { readonly subject: string; readonly payload: JsonObject }[],
    delaySeconds = 0,
  ): Promise<void> {
    if (intents.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(
        `INSERT INTO store_intents (id, tenant_id, kind, subject, payload, due_at)
         SELECT i.id, $1, $2, i.subject, i.payload, now() + make_interval(secs => $6)
         FROM unnest($3::uuid[], $4::text[], $5::jsonb[]) AS i(id, subject, payload)`,
        [
          ctx.tenantId,
          kind,
          intents.map(() => newId()),
          intents.map((intent) => intent.subject),
          intents.map((intent) => JSON.stringify(intent.payload)),
          delaySeconds,
        ],
      ),
    );
  }

  /** Takes intents back in the transaction of `ctx`: the thing has found its owner. */
  async forget(ctx: TransactionContext, kind: StoreIntentKind, subject: string): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(`DELETE FROM store_intents WHERE tenant_id = $1 AND kind = $2 AND subject = $3`, [
        ctx.tenantId,
        kind,
        subject,
      ]),
    );
  }

  /** The same for many things of one kind. */
  async forgetAll(ctx: TransactionContext, kind: StoreIntentKind, subjects: readonly string[]): Promise<void> {
    if (subjects.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(`DELETE FROM store_intents WHERE tenant_id = $1 AND kind = $2 AND subject = ANY($3::text[])`, [
        ctx.tenantId,
        kind,
        subjects,
      ]),
    );
  }

  /** Intents of all tenants that are due, oldest first. */
  async listDue(limit: number): Promise<StoreIntent[]> {
    return this.unitOfWork.runAsSystem((manager) =>
      rowsOf<StoreIntent>(
        manager,
        `SELECT id, tenant_id AS "tenantId", kind, subject, payload FROM store_intents WHERE due_at <= now() ORDER BY due_at LIMIT $1`,
        [limit],
      ),
    );
  }

  /** An intent that was carried out, or whose thing has found its owner. */
  async settle(id: string): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) => manager.query(`DELETE FROM store_intents WHERE id = $1`, [id]));
  }

  /** The same for many. */
  async settleAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(`DELETE FROM store_intents WHERE id = ANY ($1::uuid[])`, [ids]),
    );
  }

  /** Tries an intent again later. */
  async postpone(id: string, seconds: number): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE store_intents SET due_at = now() + make_interval(secs => $2) WHERE id = $1`, [id, seconds]),
    );
  }
}
