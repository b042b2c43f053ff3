import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId, type ChunkId, type ChunkSetId, type DocumentId, type RevisionId } from '#libs/common';
import { rowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { Chunk } from '#libs/text';

export interface ChunkSet {
  readonly id: ChunkSetId;
  readonly complete: boolean;
  readonly chunk_count: number;
  readonly token_count: string;
}

export interface AnalysedChunk {
  readonly chunk: Chunk;
  readonly terms: Uint8Array;
}

/** A chunk as embedding needs it. */
export interface ChunkToEmbed {
  readonly id: ChunkId;
  readonly ordinal: number;
  readonly body: string;
  readonly heading_path: readonly string[];
}

/** A chunk as the vector store needs it. */
export interface ChunkToIndex {
  readonly id: ChunkId;
  readonly ordinal: number;
  readonly terms: Buffer;
  readonly vector: Buffer;
}

/** An id that a chunk gets again when it is made again: the set's time, then a hash of set and ordinal (a UUIDv7 in form). */
export function chunkIdOf(setId: ChunkSetId, ordinal: number): ChunkId {
  const hash = createHash('sha256').update(`${setId}:${ordinal}`).digest('hex');
  const variant = ((parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${setId.slice(0, 13)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}` as ChunkId;
}

/** Chunks of a revision under one pipeline fingerprint, with their terms and vectors. */
@Injectable()
export class ChunkSetRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The set of this fingerprint, made when it is not there; an unfinished one is emptied. */
  async open(
    manager: EntityManager,
    ctx: RequestContext,
    document: { readonly id: DocumentId; readonly revision_id: RevisionId },
    fingerprint: string,
  ): Promise<ChunkSet> {
    await manager.query(
      `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (revision_id, fingerprint) DO NOTHING`,
      [newId(), ctx.tenantId, document.id, document.revision_id, fingerprint],
    );
    const [set] = await rowsOf<ChunkSet>(
      manager,
      `SELECT id, complete, chunk_count, token_count FROM chunk_sets WHERE revision_id = $1 AND fingerprint = $2`,
      [document.revision_id, fingerprint],
    );
    if (set === undefined) throw new Error('The chunk set vanished within its transaction.');
    if (!set.complete) {
      await manager.query(`DELETE FROM chunks WHERE chunk_set_id = $1`, [set.id]);
      await manager.query(`DELETE FROM chunk_set_terms WHERE chunk_set_id = $1`, [set.id]);
    }
    return set;
  }

  async append(
    manager: EntityManager,
    ctx: RequestContext,
    documentId: DocumentId,
    setId: ChunkSetId,
    chunks: readonly AnalysedChunk[],
  ): Promise<void> {
    const of = <T>(pick: (chunk: Chunk) => T): T[] => chunks.map((c) => pick(c.chunk));
    await manager.query(
      `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, heading_path,
         page, sheet, row_number, terms)
       SELECT c.id, $1, $2, $3, c.ordinal, c.s, c.e, c.body, c.tokens,
         ARRAY(SELECT jsonb_array_elements_text(c.headings)), c.page, c.sheet, c.row_number, c.terms
       FROM unnest($4::uuid[], $5::int[], $6::bigint[], $7::bigint[], $8::text[], $9::int[], $10::jsonb[], $11::int[], $12::text[],
         $13::int[], $14::bytea[]) AS c(id, ordinal, s, e, body, tokens, headings, page, sheet, row_number, terms)`,
      [
        ctx.tenantId,
        documentId,
        setId,
        of((c) => chunkIdOf(setId, c.ordinal)),
        of((c) => c.ordinal),
        of((c) => c.start),
        of((c) => c.end),
        of((c) => c.text),
        of((c) => c.tokenCount),
        of((c) => JSON.stringify(c.headingPath)),
        of((c) => c.page ?? null),
        of((c) => c.sheet ?? null),
        of((c) => c.row ?? null),
        chunks.map((c) => Buffer.from(c.terms)),
      ],
    );
  }

  async appendSummary(
    manager: EntityManager,
    ctx: RequestContext,
    setId: ChunkSetId,
    part: number,
    summary: Uint8Array,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO chunk_set_terms (tenant_id, chunk_set_id, part, summary) VALUES ($1, $2, $3, $4)`,
      [ctx.tenantId, setId, part, Buffer.from(summary)],
    );
  }

  async seal(manager: EntityManager, setId: ChunkSetId, chunkCount: number, tokenCount: number): Promise<void> {
    await manager.query(`UPDATE chunk_sets SET complete = true, chunk_count = $2, token_count = $3 WHERE id = $1`, [
      setId,
      chunkCount,
      tokenCount,
    ]);
  }

  /** The next chunks after `ordinal` that have no vector in the space. */
  async listToEmbed(
    ctx: RequestContext,
    setId: ChunkSetId,
    space: string,
    after: number,
    limit: number,
  ): Promise<ChunkToEmbed[]> {
    return this.query<ChunkToEmbed>(
      ctx,
      `SELECT c.id, c.ordinal, c.body, c.heading_path FROM chunks c
       WHERE c.chunk_set_id = $1 AND c.ordinal > $3
         AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.space = $2)
       ORDER BY c.ordinal LIMIT $4`,
      [setId, space, after, limit],
    );
  }

  async appendVectors(
    manager: EntityManager,
    ctx: RequestContext,
    space: string,
    vectors: readonly { readonly id: ChunkId; readonly vector: Float32Array }[],
  ): Promise<void> {
    await manager.query(
      `INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
       SELECT $1, v.id, $2, v.vector FROM unnest($3::uuid[], $4::bytea[]) AS v(id, vector)
       ON CONFLICT (chunk_id, space) DO NOTHING`,
      [ctx.tenantId, space, vectors.map((v) => v.id), vectors.map((v) => vectorBytes(v.vector))],
    );
  }

  /** The next chunks after `ordinal`, with terms and vectors. */
  async listToIndex(
    ctx: RequestContext,
    setId: ChunkSetId,
    space: string,
    after: number,
    limit: number,
  ): Promise<ChunkToIndex[]> {
    return this.query<ChunkToIndex>(
      ctx,
      `SELECT c.id, c.ordinal, c.terms, v.vector FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
       WHERE c.chunk_set_id = $1 AND c.ordinal > $3 ORDER BY c.ordinal LIMIT $4`,
      [setId, space, after, limit],
    );
  }
}

/** float32, little-endian: how vectors are kept in PostgreSQL. */
export function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector in bytes of `chunk_vectors`; copies, because a buffer of the driver need not be aligned. */
export function vectorOf(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
