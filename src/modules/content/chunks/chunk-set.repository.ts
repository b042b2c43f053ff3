import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChunkId, ChunkSetId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { Chunk } from '#libs/text';
import { vectorBytes } from '#libs/vector-store';
import { ChunkEntity, ChunkVectorEntity } from './chunk.entity.js';

/** A chunk with the properties that embedding needs. */
export interface ChunkToEmbed {
  readonly id: ChunkId;
  readonly ordinal: number;
  readonly body: string;
  readonly heading_path: readonly string[];
  readonly context: string | null;
}

/** A chunk of a set that an earlier attempt completed. */
export interface StoredChunk extends ChunkToEmbed {
  readonly token_count: number;
  readonly terms: Buffer;
  readonly vector: Buffer | null;
}

/** A chunk with the properties that the vector store needs. */
export interface ChunkToIndex {
  readonly id: ChunkId;
  readonly ordinal: number;
  readonly terms: Buffer;
  /** The text, which `decodeTerms` may need besides the terms. */
  readonly text: string;
  readonly vector: Buffer;
}

const COUNT_LONGER_THAN = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM chunks WHERE chunk_set_id = $1 AND token_count > $2`,
);
const COUNT_WITHOUT_CONTEXT = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM chunks WHERE chunk_set_id = $1 AND context IS NULL`,
);
const LIST_WHOLE = statement(
  {
    ...columnsOf(
      ChunkEntity,
      'chunk_set_id',
      'id',
      'ordinal',
      'body',
      'heading_path',
      'context',
      'token_count',
      'terms',
    ),
    vector: result.orNull(result.bytes),
  },
  `SELECT c.chunk_set_id, c.id, c.ordinal, c.body, c.heading_path, c.context, c.token_count, c.terms, v.vector FROM chunks c
   LEFT JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
   WHERE c.chunk_set_id = ANY($1::uuid[]) ORDER BY c.chunk_set_id, c.ordinal`,
);
const LIST_TO_EMBED = statement(
  columnsOf(ChunkEntity, 'id', 'ordinal', 'body', 'heading_path', 'context'),
  `SELECT c.id, c.ordinal, c.body, c.heading_path, c.context FROM chunks c
   WHERE c.chunk_set_id = $1 AND c.ordinal > $3
     AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.space = $2)
   ORDER BY c.ordinal LIMIT $4`,
);
const LIST_PAGE = statement(
  {
    ...columnsOf(
      ChunkEntity,
      'id',
      'ordinal',
      'body',
      'text_start',
      'text_end',
      'token_count',
      'heading_path',
      'page',
      'page_end',
      'sheet',
      'row_number',
      'parent_start',
      'parent_end',
    ),
    kind: result.present(result.text<Chunk['kind']>()),
  },
  `SELECT id, ordinal, body, text_start, text_end, token_count, heading_path, page, page_end, sheet, row_number, kind,
     parent_start, parent_end
   FROM chunks WHERE chunk_set_id = $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3`,
);
const APPEND_VECTORS = statement(
  {},
  `INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
   SELECT $1, v.id, $2, v.vector FROM unnest($3::uuid[], $4::bytea[]) AS v(id, vector)
   ON CONFLICT (chunk_id, space) DO NOTHING`,
);
/** The same text as `chunkText` gives. */
const TEXT = `concat_ws(E'\\n', c.context, c.body) AS text`;
const TO_INDEX = {
  ...columnsOf(ChunkEntity, 'id', 'ordinal', 'terms'),
  text: result.text(),
  ...columnsOf(ChunkVectorEntity, 'vector'),
};
const LIST_ALL_TO_INDEX = statement(
  { ...columnsOf(ChunkEntity, 'chunk_set_id'), ...TO_INDEX },
  `SELECT c.chunk_set_id, c.id, c.ordinal, c.terms, ${TEXT}, v.vector FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
   WHERE c.chunk_set_id = ANY ($1::uuid[]) ORDER BY c.chunk_set_id, c.ordinal`,
);
const LIST_TO_INDEX = statement(
  TO_INDEX,
  `SELECT c.id, c.ordinal, c.terms, ${TEXT}, v.vector FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
   WHERE c.chunk_set_id = $1 AND c.ordinal > $3 ORDER BY c.ordinal LIMIT $4`,
);

/** Reads the chunks of sets, and stores their vectors. */
@Injectable()
export class ChunkSetRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Number of chunks of a set with more tokens than `limit`. */
  async countLongerThan(ctx: RequestContext, setId: ChunkSetId, limit: number): Promise<number> {
    const row = await this.queryOne(ctx, COUNT_LONGER_THAN, [setId, limit]);
    return row?.n ?? 0;
  }

  /** Number of chunks of a set without a line of `enrichment.context`. */
  async countWithoutContext(ctx: RequestContext, setId: ChunkSetId): Promise<number> {
    const row = await this.queryOne(ctx, COUNT_WITHOUT_CONTEXT, [setId]);
    return row?.n ?? 0;
  }

  /** All chunks of completed small sets, with their vectors in the space if there are any, ordered by set and ordinal. */
  async listWhole(
    ctx: RequestContext,
    setIds: readonly ChunkSetId[],
    space: string,
  ): Promise<Map<ChunkSetId, StoredChunk[]>> {
    const rows = await this.query(ctx, LIST_WHOLE, [setIds, space]);
    const sets = new Map<ChunkSetId, StoredChunk[]>(setIds.map((id) => [id, []]));
    for (const row of rows) sets.get(row.chunk_set_id)!.push(row);
    return sets;
  }

  /** The next chunks after `ordinal` that have no vector in the space. */
  async listToEmbed(
    ctx: RequestContext,
    setId: ChunkSetId,
    space: string,
    after: number,
    limit: number,
  ): Promise<ChunkToEmbed[]> {
    return this.query(ctx, LIST_TO_EMBED, [setId, space, after, limit]);
  }

  /** The next chunks after `ordinal`, as chunking made them. */
  async listPage(
    ctx: RequestContext,
    setId: ChunkSetId,
    after: number,
    limit: number,
  ): Promise<(Chunk & { readonly id: ChunkId })[]> {
    const rows = await this.query(ctx, LIST_PAGE, [setId, after, limit]);
    return rows.map(toChunk);
  }

  async appendVectors(
    manager: EntityManager,
    ctx: RequestContext,
    space: string,
    vectors: readonly { readonly id: ChunkId; readonly vector: Float32Array }[],
  ): Promise<void> {
    await rowsOf(manager, APPEND_VECTORS, [
      ctx.tenantId,
      space,
      vectors.map((v) => v.id),
      vectors.map((v) => vectorBytes(v.vector)),
    ]);
  }

  /** All chunks of small sets, with terms and vectors, ordered by set and ordinal. */
  async listAllToIndex(
    ctx: RequestContext,
    setIds: readonly ChunkSetId[],
    space: string,
  ): Promise<(ChunkToIndex & { readonly chunk_set_id: ChunkSetId })[]> {
    return this.query(ctx, LIST_ALL_TO_INDEX, [setIds, space]);
  }

  /** The next chunks after `ordinal`, with terms and vectors. */
  async listToIndex(
    ctx: RequestContext,
    setId: ChunkSetId,
    space: string,
    after: number,
    limit: number,
  ): Promise<ChunkToIndex[]> {
    return this.query(ctx, LIST_TO_INDEX, [setId, space, after, limit]);
  }
}

function toChunk(row: NonNullable<(typeof LIST_PAGE)['row']>): Chunk & { readonly id: ChunkId } {
  const {
    id,
    ordinal,
    body: text,
    token_count: tokenCount,
    heading_path: headingPath,
    kind,
    page,
    page_end: pageEnd,
  } = row;
  const { text_start: start, text_end: end, sheet, row_number: line, parent_start: from, parent_end: to } = row;
  return {
    id,
    ordinal,
    text,
    start: Number(start),
    end: Number(end),
    tokenCount,
    headingPath: [...headingPath],
    kind,
    ...(page === null ? {} : { page }),
    ...(pageEnd === null ? {} : { pageEnd }),
    ...(sheet === null ? {} : { sheet }),
    ...(line === null ? {} : { row: line }),
    ...(from === null || to === null ? {} : { parent: { start: Number(from), end: Number(to) } }),
  };
}
