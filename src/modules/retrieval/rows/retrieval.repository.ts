import { Injectable } from '@nestjs/common';
import type { ChunkId, ChunkSetId, DatasetId, DocumentId, JsonObject } from '#libs/common';
import { result, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { FILTER_FACTS, filterFactsOf, type FilterFactsRow } from '../../documents/index.js';
import type { ResultExpansion } from '../request/search-options.dto.js';
import type { ContentSeqs, DatasetsAtMoment, ShownChunks } from './retrieval-rows.js';

/** The range to be shown for a chunk `c`. A chunk without a parent is its own. */
const AROUND = {
  none: null,
  neighbours: `SELECT min(n.text_start) AS range_start, max(n.text_end) AS range_end
    FROM chunks n WHERE n.chunk_set_id = c.chunk_set_id AND n.ordinal BETWEEN c.ordinal - 1 AND c.ordinal + 1`,
  parent: `SELECT coalesce(c.parent_start, c.text_start) AS range_start, coalesce(c.parent_end, c.text_end) AS range_end`,
} as const satisfies Readonly<Record<ResultExpansion, string | null>>;
/** The stretch of the canonical text that holds the range; segments follow each other without a gap. */
const SEGMENTS = `SELECT min(p.text_start) AS around_start, string_agg(p.body, '' ORDER BY p.text_start) AS around_text
  FROM document_segments p WHERE p.revision_id = cs.revision_id AND p.text_start < x.range_end AND p.text_end > x.range_start`;

const LIST_FILTER_FACTS = statement(
  FILTER_FACTS,
  `SELECT ${filterFactsOf('d')} FROM documents d WHERE d.id = ANY ($1::uuid[])`,
);
const LIST_UNSYNCED = statement(
  FILTER_FACTS,
  `SELECT ${filterFactsOf('d')} FROM shown_documents d
   WHERE d.dataset_id = ANY ($1::uuid[]) AND d.metadata_seq <> d.stored_metadata_seq`,
);
/** `datasets.content_seq` by dataset. `datasets`: the parameter with their ids. */
const contentSeqsOf = (datasets: string): string =>
  `(SELECT jsonb_object_agg(w.id, w.content_seq::text) FROM datasets w WHERE w.id = ANY (${datasets}::uuid[]))`;
const pendingIn = (datasets: string): string =>
  `(SELECT count(*)::int FROM documents p WHERE p.dataset_id = ANY (${datasets}::uuid[]) AND p.status IN ('pending', 'processing') AND p.deleted_at IS NULL)`;
const SHOWN_CHUNK = {
  id: result.uuid<ChunkId>(),
  document_id: result.uuid<DocumentId>(),
  document_name: result.text(),
  document_path: result.orNull(result.text()),
  archive_id: result.orNull(result.uuid<DocumentId>()),
  document_created_at: result.time,
  dataset_id: result.uuid<DatasetId>(),
  ordinal: result.integer,
  body: result.text(),
  text_start: result.bigint,
  text_end: result.bigint,
  heading_path: result.texts(),
  page: result.orNull(result.integer),
  page_end: result.orNull(result.integer),
  sheet: result.orNull(result.text()),
  row_number: result.orNull(result.integer),
  context: result.orNull(result.text()),
  metadata: result.json<JsonObject>(),
  policy_version: result.integer,
  revision: result.integer,
  /** Of all datasets that were asked, as what follows. Only the row of the first chunk carries it. */
  content_seqs: result.orNull(result.json<ContentSeqs>()),
  pending: result.orNull(result.integer),
};
const FIND_SHOWN = statementFamily(
  SHOWN_CHUNK,
  (visible: string) => shownSql(visible, null),
  visibilityVariantsOf('s', 3).map((visible) => [visible] as const),
);
const FIND_SHOWN_WITH_TEXT = statementFamily(
  {
    ...SHOWN_CHUNK,
    range_start: result.bigint,
    range_end: result.bigint,
    around_start: result.orNull(result.bigint),
    around_text: result.orNull(result.text()),
  },
  (visible: string, around: string) => shownSql(visible, around),
  visibilityVariantsOf('s', 3).flatMap((visible) =>
    [AROUND.neighbours, AROUND.parent].map((a) => [visible, a] as const),
  ),
);
const LIST_TEXTS = statement(
  { id: result.uuid<ChunkId>(), heading_path: result.texts(), body: result.text() },
  `SELECT id, heading_path, body FROM chunks WHERE id = ANY ($1::uuid[])`,
);
const LIST_TERMS = statement(
  {
    place: result.integer,
    terms: result.text(),
    text: result.orNull(result.text()),
    chunk_set_id: result.uuid<ChunkSetId>(),
    ordinal: result.integer,
  },
  `SELECT i.n::int AS place, encode(c.terms, 'base64') AS terms,
     CASE WHEN get_byte(c.terms, 0) > 2 THEN concat_ws(E'\\n', c.context, c.body) END AS text, c.chunk_set_id, c.ordinal
   FROM unnest($1::uuid[]) WITH ORDINALITY AS i(id, n) JOIN chunks c ON c.id = i.id`,
);
/** The chunk at number `place` (from 1) of those that were asked for, its terms in base64, with the text where they hold no n-grams; never changes under its id. */
type ChunkTermsRow = NonNullable<(typeof LIST_TERMS)['row']>;
const LIST_WORDS = statement(
  { place: result.integer, terms: result.text() },
  `SELECT i.n::int AS place, encode(c.terms, 'base64') AS terms
   FROM unnest($1::uuid[]) WITH ORDINALITY AS i(id, n) JOIN chunks c ON c.id = i.id`,
);
/** The chunk at number `place` (from 1) of those that were asked for, its terms in base64. */
type ChunkWordsRow = NonNullable<(typeof LIST_WORDS)['row']>;
const LIST_VECTORS = statement(
  { place: result.integer, vector: result.text() },
  `SELECT i.n::int AS place, encode(v.vector, 'base64') AS vector
   FROM unnest($1::uuid[]) WITH ORDINALITY AS i(id, n) JOIN chunk_vectors v ON v.chunk_id = i.id AND v.space = $2`,
);
/** The vector of the chunk at number `place` (from 1) of those that were asked for: base64 of what `vectorBytes` gives. */
type ChunkVectorRow = NonNullable<(typeof LIST_VECTORS)['row']>;
const READ_DATASETS = statement(
  { content_seqs: result.orNull(result.json<ContentSeqs>()), pending: result.orNull(result.integer) },
  `SELECT ${contentSeqsOf('$1')} AS content_seqs, ${pendingIn('$1')} AS pending`,
);

/** Reads chunks that the caller may see, from the database. */
@Injectable()
export class RetrievalRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** The properties of documents that filters compare, in no order. Visibility is checked elsewhere. */
  async listFilterFacts(ctx: RequestContext, documentIds: readonly DocumentId[]): Promise<FilterFactsRow[]> {
    if (documentIds.length === 0) return [];
    return this.query(ctx, LIST_FILTER_FACTS, [documentIds]);
  }

  /** What filters look at, of the showing documents of the datasets of which the vector store does not know the latest metadata. */
  async listUnsynced(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<FilterFactsRow[]> {
    return this.query(ctx, LIST_UNSYNCED, [datasetIds]);
  }

  /**
   * The chunks as they are shown, as far as they are still visible, with what is around them. In no order. The datasets are of the same
   * moment; null where the first of the chunks is not shown.
   */
  async findShown(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
    datasetIds: readonly DatasetId[],
    expand: ResultExpansion,
  ): Promise<ShownChunks> {
    if (chunkIds.length === 0) return { rows: [], datasets: null };
    const visible = this.access.visibilityCondition(ctx, 's', 3);
    const around = AROUND[expand];
    const parameters = [chunkIds, datasetIds, ...visible.parameters];
    if (around === null) {
      const found = await this.query(ctx, FIND_SHOWN.of(visible.sql), parameters);
      return { rows: found.map((row) => ({ ...row, around: null })), datasets: datasetsIn(found) };
    }
    const found = await this.query(ctx, FIND_SHOWN_WITH_TEXT.of(visible.sql, around), parameters);
    const rows = found.map(({ range_start: start, range_end: end, around_start: from, around_text: text, ...row }) => ({
      ...row,
      around: text === null ? null : { start: Number(start), end: Number(end), text_start: Number(from), text },
    }));
    return { rows, datasets: datasetsIn(found) };
  }

  /** Headings and texts by chunk, for anyone who reads them before the results are chosen. */
  async listTexts(
    ctx: RequestContext,
    chunkIds: readonly ChunkId[],
  ): Promise<{ readonly id: ChunkId; readonly heading_path: readonly string[]; readonly body: string }[]> {
    return this.query(ctx, LIST_TEXTS, [chunkIds]);
  }

  /** Encoded terms and places of chunks; a chunk that is gone is left out. In no order. Base64 is half of what `bytea` takes as text. */
  async listTerms(ctx: RequestContext, chunkIds: readonly ChunkId[]): Promise<ChunkTermsRow[]> {
    return this.query(ctx, LIST_TERMS, [chunkIds]);
  }

  /** Encoded terms of chunks, for their words alone; a chunk that is gone is left out. In no order. */
  async listWords(ctx: RequestContext, chunkIds: readonly ChunkId[]): Promise<ChunkWordsRow[]> {
    return this.query(ctx, LIST_WORDS, [chunkIds]);
  }

  /** Vectors of an embedding space; a chunk without one is left out. In no order. */
  async listVectors(ctx: RequestContext, chunkIds: readonly ChunkId[], space: string): Promise<ChunkVectorRow[]> {
    return this.query(ctx, LIST_VECTORS, [chunkIds, space]);
  }

  /** The datasets at this moment. */
  async readDatasets(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<DatasetsAtMoment> {
    const rows = await this.query(ctx, READ_DATASETS, [datasetIds]);
    return datasetsIn(rows) ?? { contentSeqs: {}, pending: 0 };
  }
}

function datasetsIn(
  rows: readonly { readonly content_seqs: ContentSeqs | null; readonly pending: number | null }[],
): DatasetsAtMoment | null {
  const row = rows.find(({ content_seqs: seqs }) => seqs !== null);
  return row === undefined ? null : { contentSeqs: row.content_seqs ?? {}, pending: row.pending ?? 0 };
}

/** Each document is looked up by its id: how many there are is not known to a plan that was made before they came. */
function shownSql(visible: string, around: string | null): string {
  return `WITH c AS MATERIALIZED (SELECT * FROM chunks WHERE id = ANY ($1::uuid[]))
   SELECT c.id, c.document_id, d.name AS document_name, d.path AS document_path, d.archive_id, d.created_at AS document_created_at, d.dataset_id, c.ordinal, c.body, c.text_start, c.text_end,
     c.heading_path, c.page, c.page_end, c.sheet, c.row_number, c.context, d.metadata, d.policy_version,
     r.revision, CASE WHEN c.id = ($1::uuid[])[1] THEN ${contentSeqsOf('$2')} END AS content_seqs,
     CASE WHEN c.id = ($1::uuid[])[1] THEN ${pendingIn('$2')} END AS pending ${around === null ? '' : ', x.range_start, x.range_end, g.around_start, g.around_text'}
   FROM c CROSS JOIN LATERAL (
       SELECT * FROM shown_documents o WHERE o.id = c.document_id AND o.chunk_set_id = c.chunk_set_id LIMIT 1) d
     JOIN datasets s ON s.id = d.dataset_id
     JOIN chunk_sets cs ON cs.id = c.chunk_set_id JOIN document_revisions r ON r.id = cs.revision_id
     ${around === null ? '' : `CROSS JOIN LATERAL (${around}) x CROSS JOIN LATERAL (${SEGMENTS}) g`}
   WHERE s.id = ANY ($2::uuid[]) AND ${visible}`;
}
