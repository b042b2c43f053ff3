import { Injectable } from '@nestjs/common';
import { newId, type DocumentId, type TenantId } from '#libs/common';
import { columnsOf, result, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { isOpen } from '../../documents/index.js';
import { principalKey } from './ledger-entry.js';
import { type LedgerEntry, RequestLedgerEntity } from './request-ledger.entity.js';

/** Rows of a ledger older than this are not found any more; ingestion's background work removes them. */
const KEPT_DAYS = 30;

const COLUMNS = `id, request_id, principal, kind, request, effective, datasets, config, config_fingerprint, results, evidence,
  report, explanation, created_at`;

const ADD = statement(
  {},
  `INSERT INTO request_ledger (tenant_id, ${COLUMNS})
   SELECT $1, e.* FROM jsonb_to_recordset($2::jsonb) AS e (id uuid, request_id text, principal text, kind text,
     request jsonb, effective jsonb, datasets jsonb, config jsonb, config_fingerprint text, results jsonb,
     evidence double precision, report jsonb, explanation jsonb, created_at timestamptz)
   ON CONFLICT (id) DO NOTHING`,
);
const FIND_NEWEST = statement(
  columnsOf(
    RequestLedgerEntity,
    'id',
    'request_id',
    'principal',
    'kind',
    'request',
    'effective',
    'datasets',
    'config',
    'config_fingerprint',
    'results',
    'evidence',
    'report',
    'explanation',
    'created_at',
  ),
  `SELECT ${COLUMNS} FROM request_ledger
   WHERE principal = $1 AND request_id = $2 AND created_at > now() - make_interval(days => $3)
   ORDER BY created_at DESC, id DESC LIMIT 1`,
);

const FIND_VISIBLE_DOCUMENTS = statementFamily(
  { id: result.uuid() },
  (visible: string) =>
    `SELECT d.id FROM documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE d.id = ANY ($1::uuid[]) AND ${isOpen('d')} AND ${visible}`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);

/** Writes and reads the ledger of requests. */
@Injectable()
export class RequestLedgerRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Adds the entries of one tenant; one that is there already is left as it is. Does not wait for the disk. */
  async add(tenantId: TenantId, entries: readonly LedgerEntry[]): Promise<void> {
    const ctx: RequestContext = { tenantId, principal: { kind: 'system', permissions: new Set() }, requestId: newId() };
    await this.unitOfWork.runOne(ctx, ADD.sql, [tenantId, JSON.stringify(entries)], { durable: false });
  }

  /** The caller's newest entry under a request id. */
  async findNewest(ctx: RequestContext, requestId: string): Promise<LedgerEntry | undefined> {
    return this.queryOne(ctx, FIND_NEWEST, [principalKey(ctx.principal), requestId, KEPT_DAYS]);
  }

  /** Those of the documents that the caller may see at this moment: neither deleted nor quarantined, in a dataset that it sees. */
  async findVisibleDocuments(ctx: RequestContext, ids: readonly DocumentId[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    const rows = await this.query(ctx, FIND_VISIBLE_DOCUMENTS.of(visible.sql), [ids, ...visible.parameters]);
    return new Set(rows.map(({ id }) => id));
  }
}
