import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/common';
import { rowsOf, StoreIntents, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { AttemptEnded, type Attempt, type CompletedAttempt, type FinishedStage } from './attempt.js';
import type { DocumentFailure, DocumentRow, DocumentWarning, IngestionStage } from './document.entity.js';
import { appendEvents } from './document-events.js';

/** A write to the vector store that was given up lands within this time. */
const LATE_WRITE_SECONDS = 10;

/** The only place that changes a document's state. Every move is a guarded update; what no longer fits throws AttemptEnded. */
@Injectable()
export class DocumentLifecycle {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly intents: StoreIntents,
  ) {}

  /** `pending` or a dead worker's `processing` → `processing` under this token. Undefined when there is nothing to do any more. */
  async begin(ctx: RequestContext, attempt: Attempt): Promise<DocumentRow | undefined> {
    return this.unitOfWork.run(ctx, async (manager, inner) => {
      const [row] = await rowsOf<DocumentRow>(
        manager,
        `UPDATE documents SET status = 'processing', current_stage = 'parsing', fencing_token = $2, waiting_reason = NULL,
           updated_at = now(), started_at = coalesce(started_at, now())
         WHERE id = $1 AND status IN ('pending', 'processing') AND deleted_at IS NULL AND quarantined_at IS NULL
           AND coalesce(fencing_token, 0) < $2::bigint RETURNING *`,
        [attempt.documentId, attempt.token],
      );
      if (row === undefined) return undefined;
      await this.intendRemoval(inner, row, attempt.token);
      await appendEvents(manager, ctx.tenantId, row.id, [{ event: 'stage_started', stage: 'parsing' }]);
      return row;
    });
  }

  /**
   * Runs `work` in a transaction that holds the document's row, if it is still this attempt's. What it writes is a checkpoint,
   * unless `durable` says that somebody relies on it. @throws AttemptEnded
   */
  async guarded<T>(
    ctx: RequestContext,
    attempt: Attempt,
    work: (manager: EntityManager, ctx: TransactionContext, row: DocumentRow) => Promise<T>,
    durable = false,
  ): Promise<T> {
    return this.unitOfWork.run(
      ctx,
      async (manager, inner) => {
        const [row] = await rowsOf<DocumentRow>(
          manager,
          `SELECT * FROM documents WHERE id = $1 AND fencing_token = $2 AND status = 'processing' AND deleted_at IS NULL FOR UPDATE`,
          [attempt.documentId, attempt.token],
        );
        if (row === undefined) throw new AttemptEnded(attempt.documentId);
        return work(manager, inner, row);
      },
      { durable },
    );
  }

  /** Leaves a stage and enters the next one, in the transaction of `ctx`; progress never falls. */
  async moveOn(
    ctx: TransactionContext,
    attempt: Attempt,
    finished: FinishedStage,
    next: IngestionStage,
  ): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager) => {
      const facts = finished.facts ?? {};
      await manager.query(
        `UPDATE documents SET current_stage = $2, progress = greatest(progress, $3), updated_at = now(),
           media_type = coalesce($4, media_type), charset = coalesce($5, charset), language = coalesce($6, language),
           page_count = coalesce($7, page_count), fidelity = coalesce($8, fidelity) WHERE id = $1`,
        [
          attempt.documentId,
          next,
          finished.progress,
          facts.media_type ?? null,
          facts.charset ?? null,
          facts.language ?? null,
          facts.page_count ?? null,
          facts.fidelity ?? null,
        ],
      );
      await appendEvents(manager, ctx.tenantId, attempt.documentId, [
        { event: 'stage_completed', stage: finished.stage, details: finished.details },
        { event: 'stage_started', stage: next },
      ]);
    });
  }

  /** Notes that a stage found results of an earlier attempt. */
  async noteResumed(ctx: RequestContext, attempt: Attempt, stage: IngestionStage): Promise<void> {
    await this.guarded(ctx, attempt, (manager) =>
      appendEvents(manager, ctx.tenantId, attempt.documentId, [{ event: 'checkpoint_resumed', stage }]),
    );
  }

  /** Shows progress within a stage. @throws AttemptEnded */
  async reportProgress(ctx: RequestContext, attempt: Attempt, progress: number): Promise<void> {
    await this.guarded(ctx, attempt, (_manager, inner) => this.showProgress(inner, attempt, progress));
  }

  /** The same within a guarded transaction. */
  async showProgress(ctx: TransactionContext, attempt: Attempt, progress: number): Promise<void> {
    await this.unitOfWork.run(ctx, (manager) =>
      manager.query(`UPDATE documents SET progress = greatest(progress, $2), updated_at = now() WHERE id = $1`, [
        attempt.documentId,
        progress,
      ]),
    );
  }

  /**
   * `processing` → `completed`: the new chunks become visible and the old ones vanish by this one update. The dataset's row is
   * locked before the document's, in the order that the deletion of a dataset keeps.
   */
  async complete(ctx: RequestContext, attempt: Attempt, result: CompletedAttempt): Promise<void> {
    await this.unitOfWork.run(ctx, async (outer, tx) => {
      const seq = await bumpContent(outer, result.datasetId);
      await this.guarded(tx, attempt, async (manager, inner, row) => {
        await this.intents.forget(inner, 'remove_generation', generationSubject(row.id, attempt.token));
        if (row.visible_generation !== null) await this.intendRemoval(inner, row, row.visible_generation);
        await showResult(manager, attempt, result, seq);
        const { chunkCount: chunks, tokenCount: tokens, durationMs: ms } = result;
        await appendEvents(manager, ctx.tenantId, attempt.documentId, [
          { event: 'stage_completed', stage: result.stage, details: result.details },
          ...result.warnings.map((w) => ({ event: 'warning' as const, details: { ...w } })),
          { event: 'completed', details: { chunks, tokens, ms } },
        ]);
        await this.endTask(inner, attempt.documentId);
      });
    });
  }

  /** `processing` → `failed`; earlier results stay for a retry, and so do the chunks of an earlier generation. */
  async fail(
    ctx: RequestContext,
    attempt: Attempt,
    failure: DocumentFailure,
    warnings: readonly DocumentWarning[],
  ): Promise<void> {
    await this.guarded(
      ctx,
      attempt,
      async (manager, inner) => {
        await manager.query(
          `UPDATE documents SET status = 'failed', error = $2, warnings = $3, waiting_reason = NULL, completed_at = now(), updated_at = now()
         WHERE id = $1`,
          [attempt.documentId, failure, JSON.stringify(warnings)],
        );
        await appendEvents(manager, ctx.tenantId, attempt.documentId, [
          { event: 'failed', stage: failure.stage, details: { code: failure.code, message: failure.message } },
        ]);
        await this.endTask(inner, attempt.documentId);
      },
      true,
    );
  }

  /** Records once more that what an ended attempt wrote must go: its last write may land after the first record was carried out. */
  async disown(ctx: RequestContext, attempt: Attempt, document: DocumentRow): Promise<void> {
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.intendRemoval(inner, document, attempt.token, LATE_WRITE_SECONDS),
    );
  }

  /** Takes a document out of every list and search at once; its storage is cleaned by a purge. */
  async delete(ctx: RequestContext, row: DocumentRow): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      const seq = await bumpContent(manager, row.dataset_id);
      const deleted = await rowsOf(
        manager,
        `UPDATE documents SET deleted_at = now(), visibility_seq = $2, updated_at = now() WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
        [row.id, seq],
      );
      if (deleted.length === 0) return;
      await appendEvents(manager, ctx.tenantId, row.id, [{ event: 'deleted' }]);
      if (row.visible_generation !== null) await this.intendRemoval(inner, row, row.visible_generation);
      await this.endTask(inner, row.id);
    });
  }

  private async intendRemoval(
    ctx: TransactionContext,
    row: DocumentRow,
    generation: string,
    delaySeconds = 0,
  ): Promise<void> {
    await this.intents.add(
      ctx,
      'remove_generation',
      generationSubject(row.id, generation),
      generationPayload(row, generation),
      delaySeconds,
    );
  }

  private async endTask(ctx: TransactionContext, documentId: string): Promise<void> {
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(`DELETE FROM ingestion_tasks WHERE document_id = $1`, [documentId]),
    );
  }
}

/** Names a generation of a document among the intents. */
export function generationSubject(documentId: string, generation: string): string {
  return `${documentId}:${generation}`;
}

function generationPayload(row: DocumentRow, generation: string): JsonObject {
  return { documentId: row.id, datasetId: row.dataset_id, generation };
}

async function showResult(
  manager: EntityManager,
  attempt: Attempt,
  result: CompletedAttempt,
  seq: string,
): Promise<void> {
  await manager.query(
    `UPDATE documents SET status = 'completed', current_stage = 'completed', progress = 100, error = NULL, waiting_reason = NULL,
       visible_generation = $2, visible_chunk_set_id = $3, visibility_seq = $4, chunk_count = $5, token_count = $6,
       warnings = $7, completed_at = now(), updated_at = now() WHERE id = $1`,
    [
      attempt.documentId,
      attempt.token,
      result.chunkSetId,
      seq,
      result.chunkCount,
      result.tokenCount,
      JSON.stringify(result.warnings),
    ],
  );
}

/** The number of the dataset's next visible change; writers of one dataset wait for each other, so that numbers commit in order. */
export async function bumpContent(manager: EntityManager, datasetId: string): Promise<string> {
  const [row] = await rowsOf<{ content_seq: string }>(
    manager,
    `UPDATE datasets SET content_seq = content_seq + 1 WHERE id = $1 RETURNING content_seq`,
    [datasetId],
  );
  return row?.content_seq ?? '0';
}
