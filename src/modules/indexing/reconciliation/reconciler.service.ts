import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type IndexRef } from '#libs/vector-store';
import { isAnchorKey } from '../../governance/index.js';
import { OrphanedStepRows } from './orphaned-step-rows.service.js';
import { LostTasks } from './lost-tasks.service.js';
import type { ReportWriter } from './reconciliation-report.js';
import { ReconcilerRepository } from './reconciler.repository.js';
import { listStoredGenerations, type StoredGeneration } from '../rows/stored-generations.js';
import type { VisibleDocument } from '../rows/visible-documents.repository.js';
import { VisibleRows } from '../rows/visible-rows.service.js';

const BATCH = 200;

/**
 * Compares rows of the database, vectors and files. Missing objects that can be recreated are recreated. Surplus objects are removed only
 * through recorded intents (`UnwantedGenerations` and `UnownedFiles`); all others are only reported.
 */
@Injectable()
export class Reconciler {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly visible: VisibleRows,
    private readonly store: VectorStore,
    private readonly storage: ObjectStorage,
    private readonly models: InstalledModels,
    private readonly lostTasks: LostTasks,
    private readonly leftRows: OrphanedStepRows,
  ) {}

  /** Reconciles one tenant. Safe while ingestion runs; it can be started again at any point. */
  async run(ctx: RequestContext, report: ReportWriter): Promise<void> {
    await this.lostTasks.promise(ctx, report);
    for (const { id, embedding_space: space } of await this.repository.listDatasets(ctx)) {
      const { descriptor } = this.models.embedderFor(space);
      await this.compareVectors(ctx, indexRef(ctx, id, descriptor.space), report);
      report.datasets += 1;
    }
    await this.leftRows.remove(ctx, report);
    await this.findForeignFiles(ctx, report);
    await this.findMissingFiles(ctx, report);
    report.tenants += 1;
  }

  /** The store is read before the database, so that rows written meanwhile are not reported as foreign. */
  private async compareVectors(ctx: RequestContext, index: IndexRef, report: ReportWriter): Promise<void> {
    const stored = await listStoredGenerations(this.store, index);
    for (let after = ''; ;) {
      const documents = await this.repository.listVisible(ctx, index.datasetId, after, BATCH);
      await this.comparePage(ctx, index, documents, stored, report);
      report.documents += documents.length;
      if (documents.length < BATCH) break;
      after = documents.at(-1)!.id;
    }
    await this.judgeForeign(ctx, [...stored.values()], report);
  }

  private async comparePage(
    ctx: RequestContext,
    index: IndexRef,
    documents: readonly VisibleDocument[],
    stored: Map<string, StoredGeneration>,
    report: ReportWriter,
  ): Promise<void> {
    const rowsOf = new Map<string, number>();
    for (const { id, visible_generation: generation } of documents) {
      const key = `${id}:${generation}`;
      rowsOf.set(id, stored.get(key)?.rows ?? 0);
      stored.delete(key);
    }
    const differing = documents.filter(({ id, chunk_count: count }) => rowsOf.get(id) !== count);
    const written = await this.visible.writeMissing(ctx, this.store, index, differing);
    for (const { id, chunk_count: count } of differing) {
      const rows = written.get(id) ?? 0;
      if (rows > 0) report.noteMended('missing_vectors', `document ${id}`, rows);
      else if (rowsOf.get(id)! > count) report.noteSeen('unmended_vectors', `document ${id}`);
    }
  }

  private async judgeForeign(
    ctx: RequestContext,
    candidates: readonly StoredGeneration[],
    report: ReportWriter,
  ): Promise<void> {
    for (let at = 0; at < candidates.length; at += BATCH) {
      const batch = candidates.slice(at, at + BATCH);
      const subjects = batch.map(({ documentId, generation }) => `${documentId}:${generation}`);
      const kept = await this.repository.findKeptGenerations(
        ctx,
        batch.map(({ documentId }) => documentId),
      );
      const intended = await this.repository.findIntended(ctx, 'remove_generation', subjects);
      batch.forEach(({ rows }, place) => {
        const subject = subjects[place]!;
        if (kept.has(subject)) return;
        if (intended.has(subject)) report.awaitingRemoval += rows;
        else report.noteSeen('foreign_vectors', `generation ${subject}`, rows);
      });
    }
  }

  private async findForeignFiles(ctx: RequestContext, report: ReportWriter): Promise<void> {
    let batch: string[] = [];
    const judge = async (): Promise<void> => {
      const owned = await this.repository.findOwned(ctx, batch);
      const intended = await this.repository.findIntended(ctx, 'remove_blob', batch);
      for (const key of batch) {
        if (owned.has(key)) continue;
        if (intended.has(key)) report.awaitingRemoval += 1;
        else report.noteSeen('foreign_files', `file ${key}`);
      }
      batch = [];
    };
    for await (const { key } of this.storage.list(`${ctx.tenantId}/`)) {
      if (isAnchorKey(key)) continue;
      report.files += 1;
      batch.push(key);
      if (batch.length >= BATCH) await judge();
    }
    await judge();
  }

  private async findMissingFiles(ctx: RequestContext, report: ReportWriter): Promise<void> {
    for (let after = ''; ;) {
      const revisions = await this.repository.listRevisionFiles(ctx, after, BATCH);
      for (const { id, blob_key: key } of revisions) {
        if ((await this.storage.stat(parseObjectKey(key))) !== null) continue;
        // A purge may have removed both since the row was read.
        if ((await this.repository.findOwned(ctx, [key])).has(key)) report.noteSeen('missing_files', `revision ${id}`);
      }
      if (revisions.length < BATCH) return;
      after = revisions.at(-1)!.id;
    }
  }
}
