import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isUuid, type DatasetId } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { DOCUMENT_CANCELLED, DOCUMENT_DELETED, DOCUMENT_QUARANTINED, DOCUMENT_RELEASED } from '../documents.events.js';
import { DomainEvents } from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { bumpContent } from '../../datasets/index.js';
import { neverComplete } from './archive-moves.js';
import { WholeArchivesRepository } from './whole-archives.repository.js';
import { archivesOf, followsParts, holdDatasetsOfArchives, settleArchives } from './archive-settling.repository.js';
import type { DocumentRow } from './document.entity.js';
import { DocumentCreationRepository, TASK_PRIORITY } from './document-creation.repository.js';
import { appendEventsOfAll, type NewDocumentEvent } from './document-events.repository.js';
import { DOCUMENT_MOVES, type DocumentMove } from './document-moves.js';
import { DocumentMovesRepository, type ContentNumbers } from './document-moves.repository.js';
import { isSplit } from './document-views.js';
import { cancelledOf, deletedOf, factsOf } from './event-payloads.js';
import { generationIntent } from './generations.js';
import { idsOf, legalOf, reached, sortOut, type MoveOutcome } from './move-outcome.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

/** The locked rows that may be moved, with the numbers of the visible change if the move makes one. */
interface Locked {
  readonly ids: readonly string[];
  /** The rows before the move. */
  readonly before: ReadonlyMap<string, DocumentRow>;
  readonly numbers: ContentNumbers;
}

/** Moves after which a file of an archive must not be readable, not even through a text of the whole archive. */
const TAKES_AWAY: ReadonlySet<DocumentMove> = new Set(['delete', 'quarantine']);

type Apply = (ctx: TransactionContext, manager: EntityManager, locked: Locked) => Promise<readonly DocumentRow[]>;

/**
 * Moves that callers request, each for several documents in one transaction (that of `ctx`, if it has one). Datasets are locked before
 * documents, and both in the order of their ids. Documents that the caller cannot see are rejected as not found. A move of an archive also
 * moves its files, and the status of an archive follows its files.
 */
@Injectable()
export class DocumentTransitions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DocumentMovesRepository,
    private readonly wholes: WholeArchivesRepository,
    private readonly creation: DocumentCreationRepository,
    private readonly intents: StoreIntents,
    private readonly events: DomainEvents,
  ) {}

  /** Stops the work on documents; a document that shows an earlier generation returns to `completed` with it. */
  async cancel(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'cancel', ids, async (inner, manager, { ids: legal, before, numbers }) => {
      const archives = legal.flatMap((id) => before.get(id) ?? []).filter(followsParts);
      const withdrawn = archives.filter(neverComplete);
      // An archive that was completed before is `completed` again once none of its files is being ingested.
      const kept = new Set<string>(idsOf(archives.filter((row) => !withdrawn.includes(row))));
      const own = legal.filter((id) => !kept.has(id));
      const back = await this.repository.goBackToShown(inner, own);
      const cancelled = await this.repository.cancel(inner, own);
      const gone = await this.repository.withdrawParts(inner, idsOf(withdrawn), numbers);
      await this.forgetShown(inner, gone, before);
      const rows = [...new Map([...back, ...cancelled, ...gone].map((row) => [row.id, row])).values()];
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

  /** `failed` → `pending`; results of earlier attempts are reused. */
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

  /**
   * `completed` → `pending` under the dataset's present policy; the shown chunks stay until new ones replace them. For an archive, its
   * files are reingested, including failed ones; if the policy treats archives as one text, the archive itself is reingested, and its files
   * are deleted at the end.
   */
  async reingest(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'reingest', ids, async (inner, manager, { ids: legal, before }) => {
      const archives = legal.flatMap((id) => before.get(id) ?? []).filter(followsParts);
      const whole = await this.wholes.becomeWhole(inner, idsOf(archives));
      const isWhole = new Set<string | null>(idsOf(whole));
      const isGoing = (id: string): boolean => isWhole.has(before.get(id)!.archive_id);
      const [going, own] = [legal.filter(isGoing), legal.filter((id) => !isGoing(id))];
      const rows = [...whole, ...(await this.repository.reingest(inner, own))];
      const moved = new Set(archivesOf(rows));
      await this.repository.adoptPolicy(
        inner,
        legal.filter((id) => moved.has(id)),
      );
      await this.queue(inner, rows, TASK_PRIORITY.reingest);
      await this.tell(inner, manager, rows, (row) => {
        const versions = {
          from_policy_version: row.ingested_policy_version ?? row.policy_version,
          to_policy_version: row.policy_version,
        };
        return [{ event: 'reingest_requested', details: versions }, queued(row)];
      });
      return [...rows, ...going.flatMap((id) => before.get(id) ?? [])];
    });
  }

  /** Removes documents from all searches and stops the work on them. The reason is recorded in their timelines. */
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
      await this.repository.awaitParts(inner, idsOf(rows.filter(followsParts)));
      await this.queue(inner, rows, TASK_PRIORITY.upload);
      await this.tell(inner, manager, rows, (row) => [
        { event: 'released' },
        ...(followsParts(row) ? [] : [queued(row)]),
      ]);
      await this.events.publish(inner, DOCUMENT_RELEASED, rows.map(factsOf));
      return rows;
    });
  }

  /** Removes documents from all lists and searches at once, whatever their status. */
  async delete(ctx: RequestContext, ids: readonly string[]): Promise<MoveOutcome> {
    return this.move(ctx, 'delete', ids, async (inner, manager, { ids: legal, numbers }) => {
      const rows = await this.repository.delete(inner, legal, numbers);
      await this.repository.endTasks(inner, idsOf(rows));
      // The generation that an attempt writes is recorded for removal from its beginning.
      await this.forgetShown(inner, rows, new Map(rows.map((row) => [row.id, row])));
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
      const parts = await this.repository.listParts(inner, idsOf(places.filter(isSplit)));
      const isSeen = DOCUMENT_MOVES[move].changesContent || (move === 'cancel' && parts.length > 0);
      if (!isSeen) await holdDatasetsOfArchives(manager, idsOf(places));
      const datasets = new Set(isSeen ? places.map((place) => place.dataset_id) : []);
      const numbers = await bumpAll(manager, datasets);
      const named = new Set<string>(idsOf(places));
      const locked = await this.repository.lock(inner, [...new Set([...named, ...parts])]);
      const before = new Map<string, DocumentRow>(locked.map((row) => [row.id, row]));
      const legal = idsOf(legalOf(move, before, named));
      const moved = legal.length === 0 ? [] : await apply(inner, manager, { ids: legal, before, numbers });
      if (TAKES_AWAY.has(move)) await this.wholes.staySplit(inner, archivesOf(moved));
      const followed = await settleArchives(inner, manager, this.events, [
        ...new Set([...archivesOf(moved), ...idsOf([...before.values(), ...moved].filter(followsParts))]),
      ]);
      const along = moved.filter(({ id }) => !named.has(id));
      return { ...sortOut(move, wanted, before, [...moved, ...reached(followed, moved)]), along };
    });
  }

  /** Records that the generations shown before must be removed from the vector store. */
  private async forgetShown(
    ctx: TransactionContext,
    rows: readonly DocumentRow[],
    before: ReadonlyMap<string, DocumentRow>,
  ): Promise<void> {
    const shown = rows.flatMap((row) => {
      const generation = before.get(row.id)?.visible_generation ?? null;
      return generation === null ? [] : [generationIntent(row, generation)];
    });
    await this.intents.addAll(ctx, 'remove_generation', shown);
  }

  private async queue(
    ctx: TransactionContext,
    rows: readonly DocumentRow[],
    priority: (typeof TASK_PRIORITY)[keyof typeof TASK_PRIORITY],
  ): Promise<void> {
    const tasks = rows
      .filter((row) => !followsParts(row))
      .map((row) => ({
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

function queued(row: DocumentRow): NewDocumentEvent {
  return { event: 'queued', details: { attempt: row.attempt } };
}

/** One after another in the order of the ids, so that two transactions never deadlock. */
export async function bumpAll(manager: EntityManager, datasetIds: ReadonlySet<DatasetId>): Promise<ContentNumbers> {
  const numbers = new Map<DatasetId, string>();
  for (const id of [...datasetIds].sort()) numbers.set(id, await bumpContent(manager, id));
  return numbers;
}
