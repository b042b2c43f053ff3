import { Injectable } from '@nestjs/common';
import { InstalledModels, type Embedder } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { TurnEnded } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { ReembeddingsRepository, type ReembeddingRow } from '../spaces/reembeddings.repository.js';
import type { ReembeddingParity } from '../spaces/reembedding.dto.js';
import { ensureFittingIndex } from '../rows/fitting-index.js';
import { ShadowParity } from './shadow-parity.service.js';
import { ShadowWriter } from './shadow-writer.service.js';
import { showEmbedding } from '../../datasets/index.js';

const DOCUMENTS_PER_ROUND = 64;
/** Minimum share of the sample that searches in the new index must find, by vector and by words. */
const PARITY_NEEDED = 0.95;
/** Maximum number of rounds over the dataset until one finds nothing left to do. */
const PASSES_MOST = 20;

/** Progress of the work. */
export interface ReembeddingProgress {
  readonly documents: number;
  readonly chunks: number;
}

/** Position of the round over the documents. */
export interface ReembeddingPlace extends ReembeddingProgress {
  /** Identifier of the last written document. */
  readonly after: string;
}

/** Interface of the process that carries out a re-embedding. */
export interface ReembeddingTask {
  /** Position at which an earlier turn stopped. */
  readonly from: ReembeddingPlace;
  readonly report: (progress: ReembeddingProgress) => Promise<void>;
  /** Called between two units of work; throws when another task should run first. */
  readonly giveWay: (place: ReembeddingPlace) => Promise<void>;
}

/** The position before all documents. */
export const FIRST_PLACE: ReembeddingPlace = { documents: 0, chunks: 0, after: '00000000-0000-0000-0000-000000000000' };

/**
 * Moves a dataset to the embedding space of another model: a shadow of the shown chunks is written into the new space, sampled searches
 * compare it with the former one, and one transaction switches searches to it. Starting it again at any point, or by two workers at once,
 * has the same result: rows are written under the same keys, and the switch is guarded.
 */
@Injectable()
export class Reembedding {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly writer: ShadowWriter,
    private readonly parity: ShadowParity,
    private readonly store: VectorStore,
    private readonly models: InstalledModels,
    private readonly audit: AuditLog,
  ) {}

  /** Runs one re-embedding unless it has ended. @throws errors of an unavailable store or model; start it again then. */
  async run(ctx: RequestContext, datasetId: DatasetId, id: string, task: ReembeddingTask): Promise<void> {
    const row = await this.begin(ctx, datasetId, id);
    if (row === undefined) return;
    try {
      await this.carryOut(ctx, row, task);
    } catch (error) {
      if (error instanceof TurnEnded) throw error;
      await this.reembeddings.noteError(ctx, id, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  private async begin(ctx: RequestContext, datasetId: DatasetId, id: string): Promise<ReembeddingRow | undefined> {
    const isOpen = await this.reembeddings.begin(ctx, datasetId, id);
    return isOpen ? this.reembeddings.find(ctx, datasetId, id) : undefined;
  }

  private async carryOut(ctx: RequestContext, row: ReembeddingRow, task: ReembeddingTask): Promise<void> {
    const { to_space: space } = row;
    const embedder = this.models.embedderOf(space);
    if (embedder === undefined) {
      const known = this.models.spaces.join(', ');
      throw new Error(`This worker embeds into ${known}, not into ${space}: all processes need the same settings.`);
    }
    const { dimensions } = embedder.descriptor;
    await ensureFittingIndex(this.store, indexRef(ctx, row.dataset_id, space), dimensions);
    for (let pass = 1; pass <= PASSES_MOST; pass += 1) {
      const since = await this.reembeddings.contentSeq(ctx, row.dataset_id);
      const from = pass === 1 ? task.from : FIRST_PLACE;
      if (!(await this.writeShadow(ctx, row, embedder, { ...task, from }))) return;
      if ((await this.reembeddings.countIncomplete(ctx, row.dataset_id, space)) > 0) continue;
      const parity = await this.parity.check(ctx, row);
      if (parity !== null && Math.min(parity.found_by_vector, parity.found_by_keyword) < PARITY_NEEDED) {
        await this.fail(ctx, row, parity);
        return;
      }
      if (await this.finish(ctx, row, parity, since)) return;
    }
    throw new Error(`Documents keep changing: after ${PASSES_MOST} rounds some still lack vectors.`);
  }

  /** One round over all documents; false when the re-embedding was cancelled meanwhile. */
  private async writeShadow(
    ctx: RequestContext,
    row: ReembeddingRow,
    embedder: Embedder,
    { from, report, giveWay }: ReembeddingTask,
  ): Promise<boolean> {
    const index = indexRef(ctx, row.dataset_id, row.to_space);
    let { after } = from;
    const progress = { documents: from.documents, chunks: from.chunks };
    for (;;) {
      const documents = await this.writer.listDocuments(ctx, row.dataset_id, after, DOCUMENTS_PER_ROUND);
      for await (const chunks of this.writer.embed(ctx, embedder, documents)) {
        progress.chunks += chunks;
        await this.reembeddings.countChunks(ctx, row.id, chunks);
        await report(progress);
        // The vectors are stored: the next turn reads the documents of the round again and skips these chunks.
        await giveWay({ ...progress, after });
      }
      await this.writer.index(ctx, index, documents);
      progress.documents += documents.length;
      if (!(await this.reembeddings.countDocuments(ctx, row.id, progress.documents))) return false;
      await report(progress);
      if (documents.length < DOCUMENTS_PER_ROUND) return true;
      after = documents.at(-1)!.id;
      await giveWay({ ...progress, after });
    }
  }

  private async fail(ctx: RequestContext, row: ReembeddingRow, parity: ReembeddingParity): Promise<void> {
    await this.reembeddings.keepParity(ctx, row.id, parity);
    const error =
      'Searches in the new index miss too many of the sampled chunks, see parity. Searches use the former vectors as before.';
    await this.reembeddings.end(ctx, row.id, 'failed', error);
  }

  /**
   * The switch. Nothing becomes visible while the dataset is locked, so only documents that have become visible since `since` are checked.
   * False when one of them lacks vectors; also true when the re-embedding was cancelled meanwhile.
   */
  private async finish(
    ctx: RequestContext,
    row: ReembeddingRow,
    parity: ReembeddingParity | null,
    since: string,
  ): Promise<boolean> {
    return this.unitOfWork.run(ctx, async (manager, inner) => {
      const from = await this.reembeddings.lockEmbedding(inner, row.dataset_id);
      if (from === undefined) return true;
      if ((await this.reembeddings.countIncomplete(inner, row.dataset_id, row.to_space, since)) > 0) return false;
      const isSwitch = from.space !== row.to_space;
      if (!(await this.reembeddings.complete(inner, row.id, parity, from, isSwitch))) return true;
      const to = { space: row.to_space, embedding: row.to_embedding };
      if (!isSwitch) {
        const isRescaled = from.embedding.scale !== to.embedding.scale;
        if (isRescaled) await showEmbedding(manager, row.dataset_id, to.space, to.embedding);
        return true;
      }
      await this.reembeddings.switchSpace(inner, row.dataset_id, from.space, to, false);
      await this.audit.append(inner, {
        event: 'dataset.reembedded',
        subject: `dataset:${row.dataset_id}`,
        details: { reembedding_id: row.id, from: from.space, to: row.to_space },
      });
      return true;
    });
  }
}
