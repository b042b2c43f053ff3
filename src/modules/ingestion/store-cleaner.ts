import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Embedder } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { StoreIntents, TenantRepository, UnitOfWork, type StoreIntent } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { BackgroundLoop } from './background-loop.js';
import { MetadataSync } from './metadata-sync.js';
import { systemContext } from './system-context.js';

const PAUSE_MS = 1_000;
const BATCH = 200;
const RETRY_SECONDS = 30;
/** While an attempt writes the generation. */
const WRITTEN_SECONDS = 10;
const STORE_DEADLINE_MS = 30_000;

interface GenerationPayload {
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly generation: string;
}

/**
 * Carries out what was recorded for the stores outside the database: the removal of generations that are neither shown nor being
 * written and of files without a document, and metadata that have to follow.
 */
@Injectable()
export class StoreCleaner extends TenantRepository implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly intents: StoreIntents,
    private readonly store: VectorStore,
    private readonly storage: ObjectStorage,
    private readonly embedder: Embedder,
    private readonly metadata: MetadataSync,
    private readonly logger: PinoLogger,
  ) {
    super(unitOfWork);
    this.loop = new BackgroundLoop('store-cleaner', PAUSE_MS, () => this.round(), logger);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<void> {
    const due = await this.intents.listDue(BATCH);
    await this.metadata.carryOut(due.filter(({ kind }) => kind === 'update_metadata'));
    for (const intent of due.filter(({ kind }) => kind !== 'update_metadata')) {
      try {
        await this.carryOut(intent);
      } catch (error) {
        this.logger.warn({ err: error, kind: intent.kind, subject: intent.subject }, 'store_intent.failed');
        await this.intents.postpone(intent.id, RETRY_SECONDS);
      }
    }
  }

  private async carryOut(intent: StoreIntent): Promise<void> {
    const ctx = systemContext(intent.tenantId, newId());
    if (intent.kind === 'remove_blob') {
      await this.removeBlob(ctx, intent);
    } else if (!(await this.removeGeneration(ctx, intent.payload as unknown as GenerationPayload))) {
      await this.intents.postpone(intent.id, WRITTEN_SECONDS);
      return;
    }
    await this.intents.settle(intent.id);
  }

  private async removeBlob(ctx: RequestContext, intent: StoreIntent): Promise<void> {
    const owner = await this.queryOne(ctx, `SELECT 1 FROM document_revisions WHERE blob_key = $1`, [intent.subject]);
    if (owner === undefined) await this.storage.delete(parseObjectKey(intent.subject));
  }

  /**
   * False while the document is still this generation's attempt's: it may write, and show what it wrote, even when its lease
   * has run out. Once that is over it never comes back, so a removal that begins afterwards is safe.
   */
  private async removeGeneration(ctx: RequestContext, target: GenerationPayload): Promise<boolean> {
    const { documentId, datasetId, generation } = target;
    const document = await this.queryOne<{ written: boolean | null; shown: boolean | null }>(
      ctx,
      `SELECT status = 'processing' AND fencing_token = $2 AS written, visible_generation = $2 AS shown
       FROM documents WHERE id = $1 AND deleted_at IS NULL`,
      [documentId, generation],
    );
    if (document?.written === true) return false;
    if (document?.shown === true) return true;
    const index = indexRef(ctx, datasetId, this.embedder.descriptor.space);
    await this.store.remove(index, { generations: [{ documentId, generation }] }, { deadlineMs: STORE_DEADLINE_MS });
    await this.removeHiddenChunkSets(ctx, documentId);
    await this.metadata.followUp(ctx, documentId);
    return true;
  }

  /** Chunks that a newer generation has replaced; those of an unfinished attempt stay for its retry. */
  private async removeHiddenChunkSets(ctx: RequestContext, documentId: DocumentId): Promise<void> {
    await this.query(
      ctx,
      `DELETE FROM chunk_sets s USING documents d
       WHERE d.id = s.document_id AND d.id = $1 AND d.status = 'completed' AND d.visible_chunk_set_id <> s.id`,
      [documentId],
    );
  }
}
