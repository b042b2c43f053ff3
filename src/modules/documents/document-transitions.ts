import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isUuid, type CatalogueError, type DatasetId } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import {
  DOCUMENT_CANCELLED,
  DOCUMENT_DELETED,
  DOCUMENT_QUARANTINED,
  DOCUMENT_RELEASED,
  DomainEvents,
} from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { bumpContent } from '../datasets/index.js';
import { REJECTED_BY_POLICY, type DocumentRow } from './document.entity.js';
import { DocumentCreationRepository, TASK_PRIORITY } from './document-creation.repository.js';
import { appendEventsOfAll, type NewDocumentEvent } from './document-events.js';
import { DOCUMENT_MOVES, isLegalMove, type DocumentMove } from './document-moves.js';
import { DocumentMovesRepository, type ContentNumbers } from './document-moves.repository.js';
import { documentErrors } from './documents.errors.js';
import { cancelledOf, deletedOf, factsOf } from './event-payloads.js';
import { generationIntent } from './generations.js';
import { StoreIntents } from './store-intents.js';

/** A document that was not moved, and why: `documents.not_found` or `documents.illegal_state`. */
export interface RejectedMove {
  readonly id: string;
  readonly error: CatalogueError;
}

/** Both in the order of the ids that were asked for, each id once. */
export interface MoveOutcome {
  /** The rows after the move. */
  readonly accepted: readonly DocumentRow[];
  readonly rejected: readonly RejectedMove[];
}

/** Legal rows, locked, with the numbers of the visible change where the move makes one. */
interface Locked {
  readonly ids: readonly string[];
  /** As they were before the move. */
  readonly before: ReadonlyMap<string, DocumentRow>;
  readonly numbers: ContentNumbers;
}

type Apply = (ctx: TransactionContext, manager: EntityManager, locked: Locked) => Promise<readonly DocumentRow[]>;

/**
 * The moves that somebody asks for, each for several documents in one transaction (that of `ctx`, when it has one). Datasets are
 * locked before documents and both in the order of their ids. Documents that the caller does not see are rejected as not found.
 */
@Injectable()
export class DocumentTransitions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DocumentMovesRepository,
    private readonly creation: DocumentCreationRepository,
    private readonly intents: StoreIntents,
    private readonly events: DomainEvents,
  ) {}

  /** Stops the work on documents; one that shows an earlier generation goes back to `completed` on it. */
  async cancel(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'cancel', ids, async (inner, manager, { ids: legal }) => {
      const back = await this.repository.goBackToShown(inner, legal);
      const rows = [...back, ...(await this.repository.cancel(inner, legal))];
      const files = await this.repository.removeAbandonedRevisions(inner, idsOf(back));
      await this.intents.addAll(
        inner,
        'remove_blob',
        files.map((subject) => ({ subject, payload: {} })),
      );
      await this.repository.endTasks(inner, idsOf(rows));
      await this.tell(inner, manager, rows, () => [{ event: 'cancelled' }]);
      await this.events.publish(inner, DOCUMENT_CANCELLED, rows.map(cancelledOf));
      return rows;
    });
  }

  /** `failed` → `pending`; what earlier attempts have computed is used again. */
  async retry(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'retry', ids, async (inner, manager, { ids: legal, before }) => {
      const rows = await this.repository.retry(inner, legal);
      await this.queue(inner, rows, TASK_PRIORITY.upload);
      await this.tell(inner, manager, rows, (row) => {
        const failed = before.get(row.id)?.error ?? null;
        return [
          { event: 'retried', details: failed === null ? {} : { code: failed.code, stage: failed.stage } },
          queued(row),
        ];
      });
      return rows;
    });
  }

  /** `completed` → `pending` under the dataset's present policy; the shown chunks stay until others replace them. */
  async reingest(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'reingest', ids, async (inner, manager, { ids: legal }) => {
      const rows = await this.repository.reingest(inner, legal);
      await this.queue(inner, rows, TASK_PRIORITY.reingest);
      await this.tell(inner, manager, rows, (row) => {
        const versions = {
          from_policy_version: row.ingested_policy_version ?? row.policy_version,
          to_policy_version: row.policy_version,
        };
        return [{ event: 'reingest_requested', details: versions }, queued(row)];
      });
      return rows;
    });
  }

  /** Takes documents out of every search and stops the work on them. The reason stands in their timelines. */
  async quarantine(ctx: RequestContext, ids: readonly string[], reason: string): Promise<MoveOutcome> {
    return this.move(ctx, 'quarantine', ids, async (inner, manager, { ids: legal, numbers }) => {
      const rows = await this.repository.quarantine(inner, legal, numbers);
      await this.repository.endTasks(inner, idsOf(rows));
      await this.tell(inner, manager, rows, () => [{ event: 'quarantined', details: { reason } }]);
      await this.events.publish(inner, DOCUMENT_QUARANTINED, rows.map(factsOf));
      return rows;
    });
  }

  /** `quarantined` → `pending`. */
  async release(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'release', ids, async (inner, manager, { ids: legal, numbers }) => {
      const rows = await this.repository.release(inner, legal, numbers);
      await this.queue(inner, rows, TASK_PRIORITY.upload);
      await this.tell(inner, manager, rows, (row) => [{ event: 'released' }, queued(row)]);
      await this.events.publish(inner, DOCUMENT_RELEASED, rows.map(factsOf));
      return rows;
    });
  }

  /** Takes documents out of every list and search at once, in whatever state they are. */
  async delete(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'delete', ids, async (inner, manager, { ids: legal, numbers }) => {
      const rows = await this.repository.delete(inner, legal, numbers);
      await this.repository.endTasks(inner, idsOf(rows));
      // What an attempt was writing is recorded since its beginning.
      const shown = rows.flatMap((row) =>
        row.visible_generation === null ? [] : [generationIntent(row, row.visible_generation)],
      );
      await this.intents.addAll(inner, 'remove_generation', shown);
      await this.tell(inner, manager, rows, () => [{ event: 'deleted' }]);
      const gone = rows.map((row) => deletedOf(row, false));
      await this.events.publish(inner, DOCUMENT_DELETED, gone);
      return rows;
    });
  }

  private async move(
    ctx: RequestContext,
    move: DocumentMove,
    ids: readonly string[],
    apply: Apply,
  ): Promise<MoveOutcome> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.unitOfWork.run(ctx, async (manager, inner) => {
      const places = await this.repository.locateVisible(inner, wanted.filter(isUuid));
      const datasets = new Set(places.map((place) => place.dataset_id));
      const numbers = DOCUMENT_MOVES[move].changesContent
        ? await bumpAll(manager, datasets)
        : new Map<string, string>();
      const locked = await this.repository.lock(inner, idsOf(places));
      const before = new Map<string, DocumentRow>(locked.map((row) => [row.id, row]));
      const legal = idsOf(locked.filter((row) => refusalOf(move, row) === undefined));
      const moved = legal.length === 0 ? [] : await apply(inner, manager, { ids: legal, before, numbers });
      return sortOut(move, wanted, before, moved);
    });
  }

  private async queue(
    ctx: TransactionContext,
    rows: readonly DocumentRow[],
    priority: (typeof TASK_PRIORITY)[keyof typeof TASK_PRIORITY],
  ): Promise<void> {
    const tasks = rows.map((row) => ({
      documentId: row.id,
      datasetId: row.dataset_id,
      sizeBytes: row.size_bytes,
      attempt: row.attempt,
      priority,
    }));
    await this.creation.enqueueAll(ctx, tasks);
  }

  private async tell(
    ctx: TransactionContext,
    manager: EntityManager,
    rows: readonly DocumentRow[],
    eventsOf: (row: DocumentRow) => NewDocumentEvent[],
  ): Promise<void> {
    const documents = rows.map((row) => ({ id: row.id, events: eventsOf(row) }));
    await appendEventsOfAll(manager, ctx.tenantId, documents);
  }
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map((row) => row.id);
}

function queued(row: DocumentRow): NewDocumentEvent {
  return { event: 'queued', details: { attempt: row.attempt } };
}

/** One after another in the order of the ids, so that two of these never wait for each other. */
export async function bumpAll(manager: EntityManager, datasetIds: ReadonlySet<DatasetId>): Promise<ContentNumbers> {
  const numbers = new Map<DatasetId, string>();
  for (const id of [...datasetIds].sort()) numbers.set(id, await bumpContent(manager, id));
  return numbers;
}

function sortOut(
  move: DocumentMove,
  wanted: readonly string[],
  before: ReadonlyMap<string, DocumentRow>,
  moved: readonly DocumentRow[],
): MoveOutcome {
  const after = new Map<string, DocumentRow>(moved.map((row) => [row.id, row]));
  const accepted = wanted.flatMap((id) => after.get(id) ?? []);
  const rejected = wanted
    .filter((id) => !after.has(id))
    .map((id) => {
      const row = before.get(id);
      if (row === undefined) return { id, error: documentErrors.not_found({}) };
      return { id, error: refusalOf(move, row) ?? documentErrors.illegal_state({ move, status: row.status }) };
    });
  return { accepted, rejected };
}

/** Moves that would ingest once more what the policy does not take, whose original file goes. */
const ENDED_BY_REJECTION: ReadonlySet<DocumentMove> = new Set(['retry', 'quarantine']);

function refusalOf(move: DocumentMove, { status, error }: DocumentRow): CatalogueError | undefined {
  if (!isLegalMove(move, status)) return documentErrors.illegal_state({ move, status });
  const isRejected = status === 'failed' && error?.code === REJECTED_BY_POLICY;
  return isRejected && ENDED_BY_REJECTION.has(move) ? documentErrors.rejected_by_policy({ move }) : undefined;
}
