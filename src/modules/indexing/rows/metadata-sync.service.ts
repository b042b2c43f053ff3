import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Embedder } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { AttemptTraces, StoreIntents, toFilterFacts, type StoreIntent } from '../../documents/index.js';
import { OutdatedDocuments, type OutdatedDocument } from './outdated-documents.repository.js';

const STORE_DEADLINE_MS = 30_000;
/** Pause while an attempt writes its own rows, which contain metadata too. */
const BUSY_SECONDS = 3;

/**
 * Writes the present metadata of documents to their rows in the vector store. Until then searches evaluate filters for these documents in
 * the database, so nothing waits for it.
 */
@Injectable()
export class MetadataSync {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: OutdatedDocuments,
    private readonly traces: AttemptTraces,
    private readonly intents: StoreIntents,
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
    private readonly logger: PinoLogger,
  ) {}

  /** Carries out intents of kind `update_metadata`; documents that must wait are postponed. */
  async carryOut(ctx: RequestContext, intents: readonly StoreIntent[]): Promise<void> {
    const waiting = await this.synchronise(
      ctx,
      intents.map((intent) => intent.subject),
    );
    const isDone = (intent: StoreIntent): boolean => !waiting.has(intent.subject);
    await this.intents.settle(intents.filter(isDone));
    await this.intents.postpone(
      intents.filter((intent) => !isDone(intent)),
      BUSY_SECONDS,
    );
  }

  /** Records that the store may have other metadata of a document than the database, whatever was recorded before. */
  async distrust(ctx: RequestContext, documentId: DocumentId): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.traces.distrust(inner, documentId);
      await this.followUp(inner, documentId);
    });
  }

  /** Records an update for a shown document if its metadata in the store is outdated. */
  async followUp(ctx: RequestContext, documentId: DocumentId): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      for (const { dataset_id: datasetId } of await this.documents.list(inner, [documentId])) {
        await this.intents.add(inner, 'update_metadata', documentId, { documentId, datasetId });
      }
    });
  }

  /** Writes the present metadata of documents whose rows are outdated; resolves to those that must be checked again. */
  private async synchronise(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.documents.list(ctx, ids);
    const waiting = new Set<string>(rows.filter(({ status }) => status === 'processing').map(({ id }) => id));
    const free = rows.filter(({ id }) => !waiting.has(id));
    const written: OutdatedDocument[] = [];
    // At the same time, so that the store can make one commit; a refused document does not block the others.
    await Promise.all(
      free.map(async (row) => {
        try {
          await this.write(ctx, row);
          written.push(row);
        } catch (error) {
          this.logger.warn({ err: error, documentId: row.id }, 'metadata_sync.failed');
        }
      }),
    );
    const done = await this.traces.markStored(ctx, written);
    for (const { id } of free) if (!done.has(id)) waiting.add(id);
    return waiting;
  }

  /** Writes into the installation's present space, the dataset's own, and those of other models in which its chunks may be. */
  private async write(ctx: RequestContext, row: OutdatedDocument): Promise<void> {
    for (const space of new Set([this.embedder.descriptor.space, ...row.spaces])) {
      const index = indexRef(ctx, row.dataset_id, space);
      await this.store.updateMetadata(index, row.id, toFilterFacts(row), { deadlineMs: STORE_DEADLINE_MS });
    }
  }
}
