import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ChunkLineEntity } from './chunk-line.entity.js';

/** Maximum number of stored lines of a tenant; the least recently used ones are removed first. */
const MOST_ROWS = 200_000;
/** Number of stored lines after which lines beyond the maximum are removed. */
const ROWS_PER_TRIM = 1_000;

const FIND = statement(
  columnsOf(ChunkLineEntity, 'text_hash', 'line'),
  `UPDATE chunk_lines SET used_at = now() WHERE document_id = $1 AND writer = $2 AND text_hash = ANY ($3::bytea[])
   RETURNING text_hash, line`,
);
/** Stores no line of a deleted or quarantined document; the lock prevents a deletion or quarantine, which removes the rows, in between. */
const KEEP = statement(
  {},
  `WITH open AS MATERIALIZED (
     SELECT id FROM documents WHERE id = $2 AND deleted_at IS NULL AND quarantined_at IS NULL FOR SHARE)
   INSERT INTO chunk_lines (tenant_id, document_id, writer, text_hash, line)
   SELECT $1::uuid, open.id, $3, $4, $5 FROM open
   ON CONFLICT (document_id, writer, text_hash) DO UPDATE SET used_at = now()`,
);
const TRIM = statement(
  {},
  `DELETE FROM chunk_lines e USING (
     SELECT document_id, writer, text_hash FROM chunk_lines WHERE tenant_id = $1 ORDER BY used_at DESC OFFSET $2) old
   WHERE e.document_id = old.document_id AND e.writer = old.writer AND e.text_hash = old.text_hash`,
);

/** Stored lines about chunks, by document. */
@Injectable()
export class ChunkLinesRepository extends TenantRepository {
  /** Number of lines stored since the last removal, by tenant. */
  private readonly sinceTrim = new Map<string, number>();

  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Stored lines by the hash in hexadecimal. */
  async find(
    ctx: RequestContext,
    documentId: DocumentId,
    writer: string,
    hashes: readonly Buffer[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query(ctx, FIND, [documentId, writer, hashes]);
    return new Map(rows.map(({ text_hash: hash, line }) => [hash.toString('hex'), line]));
  }

  async keep(ctx: RequestContext, documentId: DocumentId, writer: string, hash: Buffer, line: string): Promise<void> {
    await this.query(ctx, KEEP, [ctx.tenantId, documentId, writer, hash, line]);
    const kept = (this.sinceTrim.get(ctx.tenantId) ?? 0) + 1;
    this.sinceTrim.set(ctx.tenantId, kept >= ROWS_PER_TRIM ? 0 : kept);
    if (kept < ROWS_PER_TRIM) return;
    await this.query(ctx, TRIM, [ctx.tenantId, MOST_ROWS]);
  }
}
