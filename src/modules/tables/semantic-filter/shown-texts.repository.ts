import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ShownContentRepository, type ShownChunk } from '../../content/index.js';
import { FILTER_FACTS, filterFactsOf } from '../../documents/index.js';

const SHOWN_DOCUMENT = {
  ...FILTER_FACTS,
  generation: result.present(result.bigint),
};
const LIST_DOCUMENTS = statement(
  SHOWN_DOCUMENT,
  `SELECT ${filterFactsOf('d')}, d.generation FROM shown_documents d WHERE d.dataset_id = $1 AND ($2::uuid IS NULL OR d.id < $2) ORDER BY d.id DESC LIMIT $3`,
);
const LIST_GENERATIONS = statement(
  { id: result.uuid<DocumentId>(), generation: result.present(result.bigint) },
  `SELECT d.id, d.generation FROM shown_documents d WHERE d.id = ANY ($1::uuid[])`,
);

/** A document that is shown, with what filters look at. */
export type ShownDocument = RowOf<typeof SHOWN_DOCUMENT>;

/** Reads the shown texts of a dataset's documents. Callers have checked that the dataset is visible. */
@Injectable()
export class ShownTextsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly shown: ShownContentRepository,
  ) {
    super(unitOfWork);
  }

  /** Newest first, behind `before`. */
  listDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    before: DocumentId | null,
    limit: number,
  ): Promise<ShownDocument[]> {
    return this.query(ctx, LIST_DOCUMENTS, [datasetId, before, limit]);
  }

  countShown(ctx: RequestContext, datasetId: DatasetId): Promise<{ documents: number; chunks: number }> {
    return this.shown.count(ctx, [datasetId]);
  }

  /** Of each document at most `limit` chunks behind the ordinal `after`, in order. */
  listChunks(
    ctx: RequestContext,
    documentIds: readonly DocumentId[],
    after: number,
    limit: number,
  ): Promise<ShownChunk[]> {
    return this.shown.pageChunks(ctx, documentIds, after, limit);
  }

  async findChunk(ctx: RequestContext, chunkId: ChunkId): Promise<ShownChunk | undefined> {
    return (await this.shown.chunksByIds(ctx, [chunkId]))[0];
  }

  /** The generation that each document shows; what shows nothing is missing. */
  async generationsOf(ctx: RequestContext, documentIds: readonly DocumentId[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query(ctx, LIST_GENERATIONS, [documentIds]);
    return new Map(rows.map(({ id, generation }) => [id, generation]));
  }
}
