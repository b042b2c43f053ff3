import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import {
  columnsOf,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { DocumentEntity, isOpen } from '../../documents/index.js';
import { KgChunkAnswerEntity } from './kg-chunk-answer.entity.js';
import type { PassageAnswer } from './passage-answer.js';

/** Maximum number of answers stored for a tenant; the least recently used are removed first. */
const MOST_ROWS = 200_000;
/** Number of stored answers after which those beyond the maximum are removed. */
const ROWS_PER_TRIM = 1_000;

/**
 * Searches all documents of the tenant that the caller may see, without deleted or quarantined ones, so that the same text is read once. A
 * skipped passage is found only for callers that do not ask again.
 */
const FIND = statementFamily(
  columnsOf(KgChunkAnswerEntity, 'chunk_hash', 'answer'),
  (visible: string) =>
    `SELECT DISTINCT ON (a.chunk_hash) a.chunk_hash, a.answer FROM kg_chunk_answers a
     JOIN documents d ON d.id = a.document_id JOIN datasets s ON s.id = d.dataset_id
     WHERE a.extractor = $1 AND a.chunk_hash = ANY ($2::bytea[]) AND ${isOpen('d')}
       AND ($3::timestamptz IS NULL OR NOT a.answer ? 'skipped' OR a.answered_at >= $3::timestamptz) AND ${visible}
     ORDER BY a.chunk_hash, (a.answer ? 'skipped'), a.answered_at`,
  visibilityVariantsOf('s', 4).map((visible) => [visible] as const),
);
/**
 * Nothing is stored for a document that is deleted or in quarantine; the lock keeps documents from being closed in between, which would remove
 * their rows.
 */
const KEEP = statement(
  {},
  `WITH open AS MATERIALIZED (
     SELECT d.id FROM documents d WHERE d.id = $2 AND ${isOpen('d')} FOR SHARE)
   INSERT INTO kg_chunk_answers AS a (tenant_id, document_id, extractor, chunk_hash, answer)
   SELECT DISTINCT ON (v.hash) $1::uuid, open.id, $3, v.hash, v.answer
   FROM unnest($4::bytea[], $5::jsonb[]) AS v(hash, answer) CROSS JOIN open ORDER BY v.hash
   ON CONFLICT (document_id, extractor, chunk_hash) DO UPDATE SET answer = excluded.answer, used_at = now(),
     answered_at = CASE WHEN a.answer = excluded.answer AND NOT a.answer ? 'skipped' THEN a.answered_at ELSE now() END`,
);
const IS_OPEN = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT d.id FROM documents d WHERE d.id = $1 AND ${isOpen('d')}`,
);
const TRIM = statement(
  {},
  `DELETE FROM kg_chunk_answers e USING (
     SELECT document_id, extractor, chunk_hash FROM kg_chunk_answers WHERE tenant_id = $1 ORDER BY used_at DESC OFFSET $2) old
   WHERE e.document_id = old.document_id AND e.extractor = old.extractor AND e.chunk_hash = old.chunk_hash`,
);

export interface HashedAnswer {
  readonly hash: Buffer;
  readonly answer: PassageAnswer;
}

/** What a chat model read out of passages before, by document. */
@Injectable()
export class ChunkAnswersRepository extends TenantRepository {
  /** Number of answers stored since the maximum was last checked, by tenant. */
  private readonly sinceTrim = new Map<string, number>();

  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Answers by hash in hex. A passage that was skipped before `skippedSince` is not found. */
  async find(
    ctx: RequestContext,
    extractor: string,
    hashes: readonly Buffer[],
    skippedSince: Date | null,
  ): Promise<ReadonlyMap<string, PassageAnswer>> {
    if (hashes.length === 0) return new Map();
    const visible = this.access.visibilityCondition(ctx, 's', 4);
    const values = [extractor, hashes, skippedSince?.toISOString() ?? null, ...visible.parameters];
    const rows = await this.query(ctx, FIND.of(visible.sql), values);
    return new Map(rows.map(({ chunk_hash: hash, answer }) => [hash.toString('hex'), answer]));
  }

  /** Also records the time of this use. */
  async keep(
    ctx: RequestContext,
    documentId: DocumentId,
    extractor: string,
    answers: readonly HashedAnswer[],
  ): Promise<void> {
    if (answers.length === 0) return;
    const [hashes, kept] = [answers.map(({ hash }) => hash), answers.map(({ answer }) => JSON.stringify(answer))];
    await this.query(ctx, KEEP, [ctx.tenantId, documentId, extractor, hashes, kept]);
    const since = (this.sinceTrim.get(ctx.tenantId) ?? 0) + answers.length;
    this.sinceTrim.set(ctx.tenantId, since >= ROWS_PER_TRIM ? 0 : since);
    if (since >= ROWS_PER_TRIM) await this.query(ctx, TRIM, [ctx.tenantId, MOST_ROWS]);
  }

  /** Statements of one transaction. */
  async inOne(ctx: RequestContext, work: (inner: TransactionContext) => Promise<void>): Promise<void> {
    await this.unitOfWork.run(ctx, (_manager, inner) => work(inner));
  }

  /** Whether texts of the document may currently be sent to a model. */
  async isOpen(ctx: RequestContext, documentId: DocumentId): Promise<boolean> {
    return (await this.query(ctx, IS_OPEN, [documentId])).length > 0;
  }
}
