import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf, rowsOf, statement, type TransactionContext, UnitOfWork } from '#libs/database';
import { DOCUMENT_COMPLETED, DOCUMENT_COMPLETED_WITH_WARNINGS, DOCUMENT_FAILED } from '../documents.events.js';
import { DomainEvents } from '#libs/events';
import { giveBackTasks, removeTasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { bumpContent } from '../../datasets/index.js';
import {
  AttemptEnded,
  type AdvancedAttempt,
  type Attempt,
  type BegunDocument,
  type CompletedAttempts,
  type GivenBack,
} from './attempt.js';
import { holdDatasetsOfArchives, settleEnds } from './archive-settling.repository.js';
import {
  beginning,
  beginRows,
  lockOwned,
  moveRows,
  showResults,
  toTask,
  waitAgain,
} from './attempt-writes.repository.js';
import type { DocumentFailure, DocumentRow, DocumentWarning } from './document.entity.js';
import { DocumentRevisionEntity } from './document-revision.entity.js';
import { appendEvents, appendEventsOfAll } from './document-events.repository.js';
import { completedOf, completedWithWarningsOf, failedOf, type EndedAttempt } from './event-payloads.js';
import { generationIntent, generationSubject } from './generations.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

export { generationSubject } from './generations.js';

/** Time within which an abandoned write to the vector store takes effect at the latest; most attempts have ended by then, too. */
const LATE_WRITE_SECONDS = 10;

/** Time for which an original is kept after the policy has rejected it. */
const REJECTED_KEPT_SECONDS = 24 * 3600;

const REJECT_CONTENT = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key'),
  `UPDATE document_revisions SET content_guard = 'rejected' WHERE id = $1 OR document_id = $2
     AND content_guard IS DISTINCT FROM 'purged' RETURNING blob_key`,
);
const FAIL = statement(
  {},
  `UPDATE documents SET status = 'failed', error = $2, warnings = $3, waiting_reason = NULL, completed_at = now(), updated_at = now()
   WHERE id = $1`,
);

/**
 * The only place where attempts change documents. Every change is a guarded update, which throws AttemptEnded if the attempt is no longer
 * valid.
 */
@Injectable()
export class DocumentLifecycle {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly intents: StoreIntents,
    private readonly events: DomainEvents,
  ) {}

  /**
   * `pending`, or `processing` of a dead worker, → `processing` with these tokens. Documents that no longer need ingestion are left out of
   * the result, which is in the order of the ids.
   */
  async begin(ctx: RequestContext, attempts: readonly Attempt[]): Promise<BegunDocument[]> {
    return this.unitOfWork.run(ctx, async (manager, inner) => {
      const begun = await beginRows(manager, attempts);
      const intents = begun.map(({ row, attempt }) => generationIntent(row, attempt.token));
      await this.intents.addAll(inner, 'remove_generation', intents, LATE_WRITE_SECONDS);
      await appendEventsOfAll(manager, ctx.tenantId, begun.map(beginning));
      return begun.map(({ row, attempt, databaseMs }) => ({ row, attempt, databaseMs }));
    });
  }

  /**
   * Runs `work` in a transaction that locks the document's row, if the attempt is still valid. Its writes are a checkpoint, which may be
   * lost in a crash of the database, unless `durable` is set. @throws AttemptEnded
   */
  async guarded<T>(
    ctx: RequestContext,
    attempt: Attempt,
    work: (manager: EntityManager, ctx: TransactionContext, row: DocumentRow) => Promise<T>,
    durable = false,
  ): Promise<T> {
    return this.guardedAll(
      ctx,
      [attempt],
      (manager, inner, rows) => {
        const [row] = rows;
        if (row === undefined) throw new AttemptEnded(attempt.documentId);
        return work(manager, inner, row);
      },
      durable,
    );
  }

  /** The same for several attempts: `work` gets the rows of those that are still valid, in the order of their ids. */
  async guardedAll<T>(
    ctx: RequestContext,
    attempts: readonly Attempt[],
    work: (manager: EntityManager, ctx: TransactionContext, rows: readonly DocumentRow[]) => Promise<T>,
    durable = false,
  ): Promise<T> {
    return this.unitOfWork.run(
      ctx,
      async (manager, inner) => work(manager, inner, await lockOwned(manager, attempts)),
      { durable },
    );
  }

  /** Records the progress of attempts over any number of stages, in the transaction of `ctx`; progress never decreases. */
  async advance(ctx: TransactionContext, moves: readonly AdvancedAttempt[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager) => {
      await moveRows(manager, moves);
      const events = moves.map(({ attempt, events: of }) => ({ id: attempt.documentId, events: of }));
      await appendEventsOfAll(manager, ctx.tenantId, events);
    });
  }

  /**
   * `processing` → `completed`: this one update shows the new chunks and hides the old ones. The dataset's row is locked before the
   * documents' rows, as in the deletion of a dataset. `alongside` runs in the transaction and gets the rows from before. Resolves to the
   * ids of the documents whose attempts were still valid.
   */
  async complete(
    ctx: RequestContext,
    { datasetId, results }: CompletedAttempts,
    alongside: (
      manager: EntityManager,
      rows: readonly DocumentRow[],
      ctx: TransactionContext,
    ) => Promise<void> = async () => undefined,
  ): Promise<ReadonlySet<string>> {
    const byId = new Map<string, CompletedAttempts['results'][number]>(results.map((r) => [r.attempt.documentId, r]));
    return this.unitOfWork.run(ctx, async (outer, tx) => {
      const seq = await bumpContent(outer, datasetId);
      const attempts = results.map(({ attempt }) => attempt);
      return this.guardedAll(tx, attempts, async (manager, inner, rows) => {
        const ended = rows.map((row) => ({ row, result: byId.get(row.id)! }));
        await alongside(manager, rows, inner);
        await this.recordOwners(inner, ended);
        await showResults(manager, ended, seq);
        await appendEventsOfAll(
          manager,
          ctx.tenantId,
          ended.map(({ row, result }) => ({ id: row.id, events: result.events })),
        );
        await this.publishCompleted(inner, ended);
        await this.endTasks(inner, rows);
        const parts = ended.map(({ row, result }) => ({ row, hasFailed: false, isShown: result.chunkCount > 0 }));
        await settleEnds(inner, manager, this.events, parts);
        return new Set<string>(rows.map((row) => row.id));
      });
    });
  }

  /** `processing` → `failed`; earlier results are kept for a retry, and so are the chunks of an earlier generation. */
  async fail(
    ctx: RequestContext,
    attempt: Attempt,
    failure: DocumentFailure,
    warnings: readonly DocumentWarning[],
  ): Promise<void> {
    await this.unitOfWork.run(
      ctx,
      async (outer, tx) => {
        await holdDatasetsOfArchives(outer, [attempt.documentId]);
        await this.guarded(tx, attempt, async (manager, inner, row) => {
          await rowsOf(manager, FAIL, [attempt.documentId, failure, JSON.stringify(warnings)]);
          await appendEvents(manager, ctx.tenantId, attempt.documentId, [
            { event: 'failed', stage: failure.stage, details: { code: failure.code, message: failure.message } },
          ]);
          await this.events.publish(inner, DOCUMENT_FAILED, [failedOf(row, failure)]);
          await this.endTasks(inner, [row]);
          const isShown = row.visible_generation !== null && row.chunk_count > 0;
          await settleEnds(inner, manager, this.events, [{ row, hasFailed: true, isShown }]);
        });
      },
      { durable: true },
    );
  }

  /**
   * The same for a document that the policy rejects: it cannot be retried, and its original (and the archive that contained it) is removed
   * after a day; until then it needs `governance:read`.
   */
  async reject(
    ctx: RequestContext,
    attempt: Attempt,
    failure: DocumentFailure,
    warnings: readonly DocumentWarning[],
  ): Promise<void> {
    await this.unitOfWork.run(ctx, async (outer, tx) => {
      await holdDatasetsOfArchives(outer, [attempt.documentId]);
      await this.guarded(tx, attempt, async (manager, inner, row) => {
        const files = await rowsOf(manager, REJECT_CONTENT, [row.revision_id, row.archive_id]);
        const intents = files.map(({ blob_key: subject }) => ({ subject, payload: {} }));
        await this.intents.addAll(inner, 'remove_blob', intents, REJECTED_KEPT_SECONDS);
      });
      await this.fail(tx, attempt, failure, warnings);
    });
  }

  /** `processing` → `pending`: the attempts continue later from their checkpoints. Attempts that have ended are ignored. */
  async giveBack(ctx: RequestContext, items: readonly GivenBack[]): Promise<void> {
    const attempts = items.map(({ attempt }) => attempt);
    await this.guardedAll(
      ctx,
      attempts,
      async (manager, inner, rows) => {
        const owned = new Set<string>(rows.map((row) => row.id));
        const given = items.filter(({ attempt }) => owned.has(attempt.documentId));
        await waitAgain(manager, given);
        await appendEventsOfAll(
          manager,
          ctx.tenantId,
          given.map(({ attempt, events }) => ({ id: attempt.documentId, events })),
        );
        await this.unitOfWork.asSystem(inner, (system) => giveBackTasks(system, given.map(toTask)));
      },
      true,
    );
  }

  /** Records again that the rows of ended attempts must be removed, because their last write may take effect after the first removal. */
  async disown(ctx: RequestContext, documents: readonly Pick<BegunDocument, 'row' | 'attempt'>[]): Promise<void> {
    const intents = documents.map(({ row, attempt }) => generationIntent(row, attempt.token));
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.intents.addAll(inner, 'remove_generation', intents, LATE_WRITE_SECONDS),
    );
  }

  private async publishCompleted(ctx: TransactionContext, ended: readonly EndedAttempt[]): Promise<void> {
    const remarked = ended.filter(({ result }) => result.warnings.length > 0);
    const plain = ended.filter(({ result }) => result.warnings.length === 0);
    await this.events.publish(ctx, DOCUMENT_COMPLETED, plain.map(completedOf));
    await this.events.publish(ctx, DOCUMENT_COMPLETED_WITH_WARNINGS, remarked.map(completedWithWarningsOf));
  }

  /**
   * Updates the intents: the new generations now have an owner, the formerly shown ones must be removed, and metadata that changed
   * meanwhile must be written.
   */
  private async recordOwners(ctx: TransactionContext, ended: readonly EndedAttempt[]): Promise<void> {
    const own = ended.map(({ row, result }) => generationSubject(row.id, result.attempt.token));
    await this.intents.forgetAll(ctx, 'remove_generation', own);
    const replaced = ended.flatMap(({ row }) =>
      row.visible_generation === null ? [] : [generationIntent(row, row.visible_generation)],
    );
    await this.intents.addAll(ctx, 'remove_generation', replaced);
    const outdated = ended.filter(({ row, result }) => row.metadata_seq !== result.metadataSeq);
    await this.intents.addAll(
      ctx,
      'update_metadata',
      outdated.map(({ row }) => ({ subject: row.id, payload: { documentId: row.id, datasetId: row.dataset_id } })),
    );
  }

  private async endTasks(ctx: TransactionContext, rows: readonly DocumentRow[]): Promise<void> {
    const ids = rows.map((row) => row.id);
    await this.unitOfWork.asSystem(ctx, (manager) => removeTasks(manager, ids));
  }
}
