import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JsonObject, RevisionId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { Block, TextSegment } from '#libs/text';

export interface RevisionText {
  readonly blob_key: string;
  /** Which parser made the text; null before the first parse has finished. */
  readonly text_fingerprint: string | null;
  readonly text_length: string | null;
  readonly parsed: {
    readonly warnings: readonly { code: string; detail: string }[];
    readonly title: string | null;
  } | null;
}

/** The canonical text of revisions, kept in segments so that nobody has to hold a long one. */
@Injectable()
export class RevisionTextRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async find(ctx: RequestContext, revisionId: RevisionId): Promise<RevisionText | undefined> {
    return this.queryOne<RevisionText>(
      ctx,
      `SELECT blob_key, text_fingerprint, text_length, parsed FROM document_revisions WHERE id = $1`,
      [revisionId],
    );
  }

  async clear(manager: EntityManager, revisionId: RevisionId): Promise<void> {
    await manager.query(
      `UPDATE document_revisions SET text_fingerprint = NULL WHERE id = $1 AND text_fingerprint IS NOT NULL`,
      [revisionId],
    );
    await manager.query(`DELETE FROM document_segments WHERE revision_id = $1`, [revisionId]);
  }

  async append(
    manager: EntityManager,
    ctx: RequestContext,
    revisionId: RevisionId,
    segments: readonly TextSegment[],
  ): Promise<void> {
    await manager.query(
      `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks)
       SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::jsonb[])`,
      [
        ctx.tenantId,
        revisionId,
        segments.map((s) => s.start),
        segments.map((s) => s.start + s.text.length),
        segments.map((s) => s.text),
        segments.map((s) => JSON.stringify(s.blocks)),
      ],
    );
  }

  async seal(
    manager: EntityManager,
    revisionId: RevisionId,
    fingerprint: string,
    length: number,
    parsed: JsonObject,
  ): Promise<void> {
    await manager.query(
      `UPDATE document_revisions SET text_fingerprint = $2, text_length = $3, parsed = $4 WHERE id = $1`,
      [revisionId, fingerprint, length, parsed],
    );
  }

  /** The segments in the order of the text, one query each. */
  async *read(ctx: RequestContext, revisionId: RevisionId): AsyncGenerator<TextSegment> {
    let from = -1;
    for (;;) {
      const row = await this.queryOne<{ text_start: string; body: string; blocks: Block[] }>(
        ctx,
        `SELECT text_start, body, blocks FROM document_segments WHERE revision_id = $1 AND text_start > $2 ORDER BY text_start LIMIT 1`,
        [revisionId, from],
      );
      if (row === undefined) return;
      from = Number(row.text_start);
      yield { start: from, text: row.body, blocks: row.blocks };
    }
  }
}
