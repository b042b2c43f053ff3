import { Injectable } from '@nestjs/common';
import type { ChunkSetId, DocumentId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../../documents/index.js';
import { ChunkEntity } from '../../content/index.js';

/** A chunk that is shown now. */
export interface ShownChunk {
  readonly ordinal: number;
  readonly text_start: string;
  readonly text_end: string;
  readonly token_count: number;
  readonly heading_path: readonly string[];
  readonly body: string;
}

const COUNT = statement(
  { chunks: result.integer, tokens: result.integer },
  `SELECT count(*)::int AS chunks, coalesce(sum(token_count), 0)::int AS tokens FROM chunks
   WHERE chunk_set_id = $1 AND text_start < $2`,
);
const LIST = statement(
  columnsOf(ChunkEntity, 'ordinal', 'text_start', 'text_end', 'token_count', 'heading_path', 'body'),
  `SELECT ordinal, text_start, text_end, token_count, heading_path, body FROM chunks
   WHERE chunk_set_id = $1 AND text_start < $2 ORDER BY ordinal LIMIT $3`,
);

const LIST_PARTS = statement(
  { ...columnsOf(DocumentEntity, 'id', 'path'), total: result.integer },
  `SELECT id, path, (count(*) OVER ())::int AS total FROM documents WHERE archive_id = $1 AND deleted_at IS NULL
   ORDER BY path, id LIMIT $2`,
);
/** A file of an archive, with the number of files of the archive. */
export type TriedPart = NonNullable<(typeof LIST_PARTS)['row']>;

/** Reads the shown chunks of a document. */
@Injectable()
export class DryRunRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The first files of an archive by their paths. */
  async listParts(ctx: RequestContext, archiveId: DocumentId, limit: number): Promise<TriedPart[]> {
    return this.query(ctx, LIST_PARTS, [archiveId, limit]);
  }

  /** Numbers of chunks that begin before `end` and of their tokens. */
  async count(ctx: RequestContext, setId: ChunkSetId, end: number): Promise<{ chunks: number; tokens: number }> {
    const row = await this.queryOne(ctx, COUNT, [setId, end]);
    return row ?? { chunks: 0, tokens: 0 };
  }

  /** The first chunks that begin before `end`, in the order of the text. */
  async list(ctx: RequestContext, setId: ChunkSetId, end: number, limit: number): Promise<ShownChunk[]> {
    return this.query(ctx, LIST, [setId, end, limit]);
  }
}
