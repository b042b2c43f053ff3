import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

const LIST_DATASETS = statement(
  { dataset_id: result.uuid<DatasetId>() },
  `SELECT DISTINCT t.dataset_id FROM document_tables t
     JOIN shown_documents d ON d.id = t.document_id AND d.generation = t.generation
   WHERE t.dataset_id = ANY ($1::uuid[]) ORDER BY t.dataset_id`,
);
const PLACE = {
  place: result.integer,
  document_id: result.uuid<DocumentId>(),
  document_name: result.text(),
  document_path: result.orNull(result.text()),
  document_created_at: result.time,
  revision: result.integer,
  chunk_id: result.uuid<ChunkId>(),
  page: result.orNull(result.integer),
};
/** A row that is longer than a chunk belongs to the first one that has some of it. */
const FIND_PLACES = statement(
  PLACE,
  `SELECT w.place::int AS place, d.id AS document_id, d.name AS document_name, d.path AS document_path,
     d.created_at AS document_created_at, r.revision, c.id AS chunk_id, c.page
   FROM unnest($2::uuid[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS w(document_id, text_start, text_end, place)
     JOIN shown_documents d ON d.id = w.document_id AND d.dataset_id = $1
     JOIN chunk_sets s ON s.id = d.chunk_set_id JOIN document_revisions r ON r.id = s.revision_id
     CROSS JOIN LATERAL (
       SELECT k.id, k.page FROM chunks k
       WHERE k.chunk_set_id = s.id AND k.text_start < w.text_end AND k.text_end > w.text_start
       ORDER BY (k.text_start <= w.text_start AND k.text_end >= w.text_end) DESC, k.ordinal LIMIT 1) c
   ORDER BY w.place`,
);

/** A stretch of the text of a document. */
export interface TextPlace {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
}

/** What a document shows where a row is; `place` is the row's, from 1. */
export type ShownPlace = RowOf<typeof PLACE>;

/** Where rows of tables are in what documents show. Anyone who asks has seen the datasets. */
@Injectable()
export class RowPlacesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Those of the datasets that show tables. */
  async datasetsWithTables(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<DatasetId[]> {
    const rows = await this.query(ctx, LIST_DATASETS, [datasetIds]);
    return rows.map(({ dataset_id: id }) => id);
  }

  /** In the given order; what is not shown, or in no chunk, is missing. */
  findPlaces(ctx: RequestContext, datasetId: DatasetId, rows: readonly TextPlace[]): Promise<ShownPlace[]> {
    return this.query(ctx, FIND_PLACES, [
      datasetId,
      rows.map(({ documentId }) => documentId),
      rows.map(({ start }) => start),
      rows.map(({ end }) => end),
    ]);
  }
}
