import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ChunkId, ChunkSetId, DocumentId, RevisionId } from '#libs/common';
import { columnsOf, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { Chunk } from '#libs/text';
import { ChunkSetEntity } from './chunk.entity.js';

export interface ChunkSet {
  readonly id: ChunkSetId;
  readonly revision_id: RevisionId;
  readonly complete: boolean;
  readonly chunk_count: number;
  readonly token_count: string;
}

/** Key of a set: the chunks of a revision under a fingerprint. */
export interface ChunkSetKey {
  readonly documentId: DocumentId;
  readonly revisionId: RevisionId;
  readonly fingerprint: string;
  /** Fingerprint under which a set with missing lines is kept, for the attempt that made it; null: the set has no lines. */
  readonly partial: string | null;
}

export interface AnalysedChunk {
  readonly chunk: Chunk;
  readonly terms: Uint8Array;
  /** Line that a chat model wrote about the chunk's place in the document; null: none. */
  readonly context: string | null;
}

/** Values of a completed set; the fingerprint differs from the one it was made under if lines are missing. */
export interface SealedSet {
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly fingerprint: string | null;
}

/** Chunks to write to a set. */
export interface ChunksOfSet {
  readonly documentId: DocumentId;
  readonly setId: ChunkSetId;
  readonly chunks: readonly AnalysedChunk[];
}

/** The term statistics of a part of a set. */
export interface SummaryOfSet {
  readonly setId: ChunkSetId;
  readonly part: number;
  readonly summary: Uint8Array;
}

/** A deterministic chunk id: the time of the set, then a hash of set and ordinal (formed as a UUIDv7). */
export function chunkIdOf(setId: ChunkSetId, ordinal: number): ChunkId {
  const hash = createHash('sha256').update(`${setId}:${ordinal}`).digest('hex');
  const variant = ((parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${setId.slice(0, 13)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}` as ChunkId;
}

const FIND_SETS = statement(
  columnsOf(ChunkSetEntity, 'id', 'revision_id', 'complete', 'chunk_count', 'token_count'),
  `SELECT s.id, s.revision_id, s.complete, s.chunk_count, s.token_count
   FROM unnest($1::uuid[], $2::text[]) AS k(revision_id, fingerprint)
   JOIN chunk_sets s ON s.revision_id = k.revision_id AND s.fingerprint = k.fingerprint`,
);
const INSERT_SETS = statement(
  {},
  `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint)
   SELECT k.id, $1, k.document_id, k.revision_id, k.fingerprint
   FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) AS k(id, document_id, revision_id, fingerprint)
   ON CONFLICT (revision_id, fingerprint) DO NOTHING`,
);
const EMPTY_SETS = statement({}, `DELETE FROM chunks WHERE chunk_set_id = ANY($1::uuid[])`);
const FORGET_TERMS = statement({}, `DELETE FROM chunk_set_terms WHERE chunk_set_id = ANY($1::uuid[])`);
const APPEND = statement(
  {},
  `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, heading_path,
     page, page_end, sheet, row_number, terms, parent_start, parent_end, kind, context)
   SELECT c.id, $1, c.document_id, c.set_id, c.ordinal, c.s, c.e, c.body, c.tokens,
     ARRAY(SELECT jsonb_array_elements_text(c.headings)), c.page, c.page_end, c.sheet, c.row_number, c.terms, c.ps, c.pe, c.kind, c.context
   FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::bigint[], $7::bigint[], $8::text[], $9::int[], $10::jsonb[],
     $11::int[], $12::int[], $13::text[], $14::int[], $15::bytea[], $16::bigint[], $17::bigint[], $18::text[], $19::text[])
     AS c(id, document_id, set_id, ordinal, s, e, body, tokens, headings, page, page_end, sheet, row_number, terms, ps, pe, kind,
     context)`,
);
const APPEND_SUMMARIES = statement(
  {},
  `INSERT INTO chunk_set_terms (tenant_id, chunk_set_id, part, summary)
   SELECT $1, * FROM unnest($2::uuid[], $3::int[], $4::bytea[])`,
);
const SEAL = statement(
  {},
  `UPDATE chunk_sets c SET complete = true, chunk_count = s.chunks, token_count = s.tokens,
     fingerprint = coalesce(s.fingerprint, c.fingerprint)
   FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::text[]) AS s(id, chunks, tokens, fingerprint) WHERE c.id = s.id`,
);

/** Writes the chunks of revisions under a pipeline fingerprint, with their terms, into sets. */
@Injectable()
export class ChunkSets extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Creates sets that do not exist and empties those that do, because each is about to be written. Resolves to the id of the existing or
   * new set.
   */
  async open(
    manager: EntityManager,
    ctx: RequestContext,
    sets: readonly (ChunkSetKey & Pick<ChunkSet, 'id'>)[],
  ): Promise<void> {
    const ids = sets.map(({ id }) => id);
    const revisions = sets.map((set) => set.revisionId);
    const fingerprints = sets.map((set) => set.fingerprint);
    await rowsOf(manager, INSERT_SETS, [ctx.tenantId, ids, sets.map((set) => set.documentId), revisions, fingerprints]);
    const found = await rowsOf<ChunkSet>(manager, FIND_SETS, [revisions, fingerprints]);
    const open = new Set<string>(found.filter((set) => !set.complete).map((set) => set.id));
    if (!ids.every((id) => open.has(id))) throw new Error('Another process created or removed a chunk set.');
    await rowsOf(manager, EMPTY_SETS, [ids]);
    await rowsOf(manager, FORGET_TERMS, [ids]);
  }

  /** The existing sets among these keys, completed or not, by revision. */
  async find(ctx: RequestContext, keys: readonly ChunkSetKey[]): Promise<Map<RevisionId, ChunkSet>> {
    const names = keys.flatMap(({ revisionId, fingerprint, partial }) =>
      [fingerprint, ...(partial === null ? [] : [partial])].map((name) => ({ revisionId, name })),
    );
    const sets = await this.query<ChunkSet>(ctx, FIND_SETS, [
      names.map(({ revisionId }) => revisionId),
      names.map(({ name }) => name),
    ]);
    return new Map(sets.map((set) => [set.revision_id, set]));
  }

  async append(manager: EntityManager, ctx: RequestContext, sets: readonly ChunksOfSet[]): Promise<void> {
    const all = sets.flatMap(({ documentId, setId, chunks }) => chunks.map((one) => ({ documentId, setId, ...one })));
    if (all.length === 0) return;
    const of = <T>(pick: (chunk: Chunk) => T): T[] => all.map(({ chunk }) => pick(chunk));
    await rowsOf(manager, APPEND, [
      ctx.tenantId,
      all.map(({ setId, chunk }) => chunkIdOf(setId, chunk.ordinal)),
      all.map(({ documentId }) => documentId),
      all.map(({ setId }) => setId),
      of((c) => c.ordinal),
      of((c) => c.start),
      of((c) => c.end),
      of((c) => c.text),
      of((c) => c.tokenCount),
      of((c) => JSON.stringify(c.headingPath)),
      of((c) => c.page ?? null),
      of((c) => c.pageEnd ?? null),
      of((c) => c.sheet ?? null),
      of((c) => c.row ?? null),
      all.map(({ terms }) => Buffer.from(terms.buffer, terms.byteOffset, terms.byteLength)),
      of((c) => c.parent?.start ?? null),
      of((c) => c.parent?.end ?? null),
      of((c) => c.kind),
      all.map(({ context }) => context),
    ]);
  }

  async appendSummaries(manager: EntityManager, ctx: RequestContext, parts: readonly SummaryOfSet[]): Promise<void> {
    if (parts.length === 0) return;
    await rowsOf(manager, APPEND_SUMMARIES, [
      ctx.tenantId,
      parts.map(({ setId }) => setId),
      parts.map(({ part }) => part),
      parts.map(({ summary }) => Buffer.from(summary)),
    ]);
  }

  async seal(manager: EntityManager, sets: readonly (SealedSet & { readonly id: ChunkSetId })[]): Promise<void> {
    await rowsOf(manager, SEAL, [
      sets.map(({ id }) => id),
      sets.map(({ chunkCount }) => chunkCount),
      sets.map(({ tokenCount }) => tokenCount),
      sets.map(({ fingerprint }) => fingerprint),
    ]);
  }
}
