import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetContents } from '../record/dataset-contents.port.js';
import type { DatasetRow } from '../record/dataset.entity.js';
import { toDataset } from '../record/dataset-views.js';
import { datasetErrors } from '../datasets.errors.js';
import { DatasetsRepository } from './datasets.repository.js';
import type { Dataset, DatasetPage } from '../record/dataset.dto.js';
import type { ListDatasetsQuery } from './list-datasets.dto.js';
import { WantedEmbeddings, type EmbeddedDataset } from './wanted-embeddings.port.js';

/** A record and the version that its entity tag names. */
export interface VersionedDataset {
  readonly record: Dataset;
  readonly version: number;
}

/** Reads visible datasets. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly datasets: DatasetsRepository,
    private readonly contents: DatasetContents,
    private readonly models: WantedEmbeddings,
  ) {}

  async list(ctx: RequestContext, query: ListDatasetsQuery): Promise<DatasetPage> {
    const page = await this.datasets.listVisible(ctx, {
      categoryId: query.category_id,
      q: query.q,
      orderBy: query.order_by,
      skip: query.skip,
      limit: query.limit,
    });
    const ids = page.items.map((row) => row.id);
    const summaries = await this.contents.summarize(ctx, ids);
    const wanted = await this.models.differing(ctx, page.items.map(toEmbedded));
    const toItem = (row: DatasetRow): Dataset =>
      toDataset(ctx.principal, row, { summary: summaries.get(row.id), wanted: wanted.get(row.id) });
    return { ...page, items: page.items.map(toItem) };
  }

  /** @throws `datasets.not_found` */
  async get(ctx: RequestContext, id: string): Promise<VersionedDataset> {
    const row = isUuid(id) ? await this.datasets.findVisible(ctx, id) : undefined;
    if (row === undefined) throw datasetErrors.not_found({ id });
    return this.describe(ctx, row);
  }

  /** The record of a row that has already been read. */
  async describe(ctx: RequestContext, row: DatasetRow): Promise<VersionedDataset> {
    const summaries = await this.contents.summarize(ctx, [row.id]);
    const wanted = await this.models.differing(ctx, [toEmbedded(row)]);
    const found = { summary: summaries.get(row.id), wanted: wanted.get(row.id) };
    return { record: toDataset(ctx.principal, row, found), version: row.version };
  }
}

function toEmbedded({ id, policy_version, embedding_space }: DatasetRow): EmbeddedDataset {
  return { id, policyVersion: policy_version, embeddingSpace: embedding_space };
}
