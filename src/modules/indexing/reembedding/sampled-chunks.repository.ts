import { Injectable } from '@nestjs/common';
import type { ChunkId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ChunkEntity, ChunkVectorEntity } from '../../content/index.js';
import type { ReembeddingRow } from '../spaces/reembeddings.repository.js';

const SAMPLED = 40;

/** A chunk with its vector in the new space and, if there is one, in the former space. */
export interface SampledChunk {
  readonly id: ChunkId;
  readonly body: string;
  readonly vector: Buffer;
  readonly former: Buffer | null;
}

const SAMPLE = statement(
  {
    ...columnsOf(ChunkEntity, 'id', 'body'),
    ...columnsOf(ChunkVectorEntity, 'vector'),
    former: result.orNull(result.bytes),
  },
  `WITH picked AS MATERIALIZED (
     SELECT id, visible_chunk_set_id, chunk_count FROM documents
     WHERE dataset_id = $1 AND visible_generation IS NOT NULL AND deleted_at IS NULL AND chunk_count > 0
     ORDER BY md5($2 || id::text) LIMIT ${SAMPLED})
   SELECT c.id, c.body, v.vector, f.vector AS former FROM picked p
   JOIN chunks c ON c.chunk_set_id = p.visible_chunk_set_id
     AND c.ordinal = (hashtextextended(p.id::text, 1) & 1073741823) % p.chunk_count
   JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $3
   LEFT JOIN chunk_vectors f ON f.chunk_id = c.id AND f.space = $4 AND f.space <> $3`,
);

/** Chunks that are used to compare the new index of a re-embedding with the former one. */
@Injectable()
export class SampledChunks extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** One chunk from each of a sample of documents, chosen by the id of the re-embedding. */
  async list(ctx: RequestContext, row: ReembeddingRow): Promise<SampledChunk[]> {
    return this.query(ctx, SAMPLE, [row.dataset_id, row.id, row.to_space, row.from_space]);
  }
}
