import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DatasetSpaces } from '../../documents/index.js';
import { ensureFittingIndex } from '../rows/fitting-index.js';
import { StoreFiller } from './store-filler.service.js';

/** What a reindex did. */
export interface ReindexReport {
  datasets: number;
  /** Counted once for each index in which a document may have rows. */
  documents: number;
  written: number;
  removed: number;
}

/** Makes the vector store that answers hold what PostgreSQL shows: missing rows are written again, foreign ones removed. Calls no model. */
@Injectable()
export class Reindex {
  constructor(
    private readonly filler: StoreFiller,
    private readonly spaces: DatasetSpaces,
    private readonly store: VectorStore,
    private readonly models: InstalledModels,
  ) {}

  /** All datasets of the tenant, added to `report`, which is given after each page of documents. Search goes on meanwhile. */
  async *run(ctx: RequestContext, report: ReindexReport): AsyncGenerator<ReindexReport> {
    for (const datasetId of await this.filler.listDatasets(ctx)) {
      yield* this.fillIndexes(ctx, datasetId, report);
      report.datasets += 1;
      yield report;
    }
  }

  /** The index of the model that embeds what comes into the dataset, and those of the models by which chunks of the dataset are found besides. */
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
