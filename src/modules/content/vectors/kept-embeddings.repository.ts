import { EmbeddingCache, type CachedVector, type ModelCaller } from '#libs/ai';
import { newId } from '#libs/common';
import { result, statement, TenantRepository, type UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { vectorBytes, vectorOf } from '#libs/vector-store';

/** Number of stored rows after which rows beyond the maximum are removed. */
const ROWS_PER_TRIM = 1_000;

/** Rows of deleted or quarantined documents are not used, even if they have not been removed yet. */
const FIND = statement(
  { text_hash: result.bytes, vector: result.bytes },
  `SELECT DISTINCT ON (e.text_hash) e.text_hash, e.vector FROM embedding_cache e JOIN documents d ON d.id = e.document_id
   WHERE e.tenant_id = $1 AND e.space = $2 AND e.text_hash = ANY ($3::bytea[])
     AND d.deleted_at IS NULL AND d.quarantined_at IS NULL
   ORDER BY e.text_hash`,
);
/** The lock prevents a deletion or quarantine, which removes the rows, in between. */
const KEEP = statement(
  {},
  `WITH open AS MATERIALIZED (
     SELECT id FROM documents WHERE id = ANY ($3::uuid[]) AND deleted_at IS NULL AND quarantined_at IS NULL ORDER BY id FOR SHARE)
   INSERT INTO embedding_cache (tenant_id, document_id, space, text_hash, vector)
   SELECT DISTINCT ON (v.document_id, v.hash) $1::uuid, v.document_id, $2, v.hash, v.vector
   FROM unnest($3::uuid[], $4::bytea[], $5::bytea[]) AS v(document_id, hash, vector) JOIN open ON open.id = v.document_id
   ORDER BY v.document_id, v.hash
   ON CONFLICT (document_id, space, text_hash) DO UPDATE SET used_at = now()`,
);
const TRIM = statement(
  {},
  `DELETE FROM embedding_cache e USING (
     SELECT document_id, space, text_hash FROM embedding_cache WHERE tenant_id = $1 ORDER BY used_at DESC OFFSET $2) old
   WHERE e.document_id = old.document_id AND e.space = old.space AND e.text_hash = old.text_hash`,
);

/** Stored vectors of texts, so that the same text of a tenant is embedded only once. Rows are removed with their document. */
export class KeptEmbeddings extends EmbeddingCache {
  private readonly rows: KeptRows;

  constructor(unitOfWork: UnitOfWork, mostRows: number) {
    super();
    this.rows = new KeptRows(unitOfWork, mostRows);
  }

  async find(
    caller: ModelCaller,
    space: string,
    hashes: readonly Buffer[],
  ): Promise<ReadonlyMap<string, Float32Array>> {
    return this.rows.find(contextOf(caller), space, hashes);
  }

  async keep(caller: ModelCaller, space: string, vectors: readonly CachedVector[]): Promise<void> {
    await this.rows.keep(contextOf(caller), space, vectors);
  }
}

/** Rows of `embedding_cache`. */
class KeptRows extends TenantRepository {
  /** Number of rows stored since the last removal, by tenant. */
  private readonly sinceTrim = new Map<string, number>();

  constructor(
    unitOfWork: UnitOfWork,
    private readonly mostRows: number,
  ) {
    super(unitOfWork);
  }

  async find(ctx: RequestContext, space: string, hashes: readonly Buffer[]): Promise<Map<string, Float32Array>> {
    const rows = await this.query(ctx, FIND, [ctx.tenantId, space, hashes]);
    return new Map(rows.map(({ text_hash: hash, vector }) => [hash.toString('hex'), vectorOf(vector)]));
  }

  async keep(ctx: RequestContext, space: string, vectors: readonly CachedVector[]): Promise<void> {
    await this.query(ctx, KEEP, [
      ctx.tenantId,
      space,
      vectors.map(({ documentId }) => documentId),
      vectors.map(({ hash }) => hash),
      vectors.map(({ vector }) => vectorBytes(vector)),
    ]);
    const kept = (this.sinceTrim.get(ctx.tenantId) ?? 0) + vectors.length;
    const isDue = kept >= Math.min(ROWS_PER_TRIM, this.mostRows);
    this.sinceTrim.set(ctx.tenantId, isDue ? 0 : kept);
    if (isDue) await this.query(ctx, TRIM, [ctx.tenantId, this.mostRows]);
  }
}

function contextOf({ tenantId }: ModelCaller): RequestContext {
  return { tenantId, principal: { kind: 'system', permissions: new Set<never>() }, requestId: newId() };
}
