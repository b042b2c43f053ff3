import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DatasetSpaces } from '../../documents/index.js';
import { ensureFittingIndex } from '../rows/fitting-index.js';
import { StoreFiller } from './store-filler.service.js';

/** Result of a reindex. */
export interface ReindexReport {
  datasets: number;
  /** Number of documents; each counts once for each index in which it may have rows. */
  documents: number;
  written: number;
  removed: number;
}

/** Makes the active vector store equal to the shown chunks in PostgreSQL: writes missing rows and removes foreign ones. Calls no model. */
@Injectable()
export class Reindex {
  constructor(
    private readonly filler: StoreFiller,
    private readonly spaces: DatasetSpaces,
    private readonly store: VectorStore,
    private readonly models: InstalledModels,
  ) {}

  /** Handles all datasets of the tenant; yields `report` with the added counts after each page of documents. Searches work meanwhile. */
  async *run(ctx: RequestContext, report: ReindexReport): AsyncGenerator<ReindexReport> {
    for (const datasetId of await this.filler.listDatasets(ctx)) {
      yield* this.fillIndexes(ctx, datasetId, report);
      report.datasets += 1;
      yield report;
    }
  }

  /** The index of the model that embeds new documents of the dataset, and the indexes of other models by which its chunks are searched. */
  private async *fillIndexes(
    ctx: RequestContext,
    datasetId: DatasetId,
    report: ReindexReport,
  ): AsyncGenerator<ReindexReport> {
    const current = await this.spaces.current(ctx, datasetId);
    const { space, dimensions } = this.models.embedderFor(current ?? '').descriptor;
    await ensureFittingIndex(this.store, indexRef(ctx, datasetId, space), dimensions);
    for (const one of new Set([space, ...(await this.spaces.list(ctx, datasetId))])) {
      const filling = this.filler.fill(ctx, this.store, indexRef(ctx, datasetId, one));
      for await (const { documents, written, removed } of filling) {
        report.documents += documents.length;
        report.written += written;
        report.removed += removed;
        yield report;
      }
    }
  }
}
