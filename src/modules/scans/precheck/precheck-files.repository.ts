import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId, JsonObject } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, type TransactionContext, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, isOpen, type DocumentRow } from '../../documents/index.js';
import type { FileReport } from './file-report.js';
import { PrecheckFileEntity, ScanEventEntity } from './precheck.entity.js';

/** A file to examine. */
export type NewPrecheckFile = Omit<PrecheckFileEntity, 'tenant_id' | 'scan_run_id' | 'position' | 'report'>;
export type PrecheckFile = Omit<PrecheckFileEntity, 'tenant_id'>;
/** A file with its present name and path; for a document, those of the document. */
export type ListedPrecheckFile = PrecheckFile & { readonly shown_name: string | null; readonly path: string | null };
export type ScanEvent = Pick<ScanEventEntity, 'seq' | 'event' | 'data' | 'created_at'>;

/** Storage key and properties of a file. */
export interface FileSource extends Pick<DocumentRow, 'name' | 'path' | 'metadata' | 'tags'> {
  readonly blob_key: string;
  /** Name at the upload. */
  readonly file_name: string;
}

/** A prediction for a file, and the result of its ingestion. */
export interface Outcome {
  readonly report: FileReport;
  readonly chunks: number;
  readonly tokens: string;
}

const FILE = columnsOf(
  PrecheckFileEntity,
  'scan_run_id',
  'position',
  'document_id',
  'name',
  'media_type',
  'declared_media_type',
  'size_bytes',
  'sha256',
  'blob_key',
  'report',
);
const COLUMNS =
  'f.scan_run_id, f.position, f.document_id, f.name, f.media_type, f.declared_media_type, f.size_bytes, f.sha256, f.blob_key, f.report';

const LIST_WAITING = statement(
  {
    document_id: result.uuid<DocumentId>(),
    media_type: result.text(),
    declared_media_type: result.orNull(result.text()),
    size_bytes: result.bigint,
    sha256: result.text(),
  },
  `SELECT d.id AS document_id, d.media_type, d.declared_media_type, d.size_bytes, d.sha256 FROM documents d
   WHERE d.dataset_id = $1 AND ${isOpen('d')}
     AND CASE WHEN $2::uuid[] IS NULL THEN d.status = 'pending' ELSE d.id = ANY ($2) END
   ORDER BY d.created_at, d.id LIMIT $3`,
);
const ADD = statement(
  {},
  `INSERT INTO precheck_files (tenant_id, scan_run_id, position, document_id, name, media_type, declared_media_type, size_bytes, sha256, blob_key)
   SELECT $1, $2, f.position, f.document_id, f.name, f.media_type, f.declared_media_type, f.size_bytes, f.sha256, f.blob_key
   FROM jsonb_to_recordset($3) AS f(position int, document_id uuid, name text, media_type text, declared_media_type text,
     size_bytes bigint, sha256 text, blob_key text)`,
);
const LIST = statement(
  { ...FILE, shown_name: result.orNull(result.text()), path: result.orNull(result.text()) },
  `SELECT ${COLUMNS}, coalesce(d.name, f.name) AS shown_name, d.path FROM precheck_files f LEFT JOIN documents d ON d.id = f.document_id
   WHERE f.scan_run_id = $1 AND (f.document_id IS NULL OR (${isOpen('d')})) ORDER BY f.position`,
);
const FIND_SOURCE = statement(
  {
    ...columnsOf(DocumentEntity, 'name', 'path', 'metadata', 'tags'),
    blob_key: result.text(),
    file_name: result.text(),
  },
  `SELECT d.name, d.path, d.metadata, d.tags, r.blob_key, coalesce(r.name, d.name) AS file_name FROM documents d JOIN document_revisions r ON r.id = d.revision_id
   WHERE d.id = $1 AND ${isOpen('d')}`,
);
const KEEP = statement(
  columnsOf(PrecheckFileEntity, 'position'),
  `UPDATE precheck_files SET report = $3 WHERE scan_run_id = $1 AND position = $2 AND report IS NULL RETURNING position`,
);
const FORGET_SAMPLES = statement(
  { blob_key: result.present(result.text()) },
  `UPDATE precheck_files f SET blob_key = NULL FROM precheck_files o
   WHERE f.scan_run_id = $1 AND o.scan_run_id = f.scan_run_id AND o.position = f.position AND o.blob_key IS NOT NULL
   RETURNING o.blob_key`,
);
const LIST_SAMPLES = statement(
  { blob_key: result.present(result.text()) },
  `SELECT blob_key FROM precheck_files WHERE scan_run_id = $1 AND blob_key IS NOT NULL`,
);
const HAS_SAME = statement(
  { found: result.boolean },
  `SELECT EXISTS (SELECT 1 FROM documents d WHERE d.dataset_id = $1 AND d.sha256 = $2 AND ${isOpen('d')} AND d.archive_id IS NULL
     AND d.status NOT IN ('failed', 'cancelled') AND ($3::uuid IS NULL OR d.id <> $3)) AS found`,
);
const FIND_NAMESAKE = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT d.id FROM documents d WHERE d.dataset_id = $1 AND ${isOpen('d')} AND d.archive_id IS NULL AND d.sha256 <> $3
     AND ($4::uuid IS NULL OR d.id <> $4) AND coalesce(d.path, d.name) = $2
     AND d.name_hash = hashtextextended($2, 0) ORDER BY d.created_at DESC, d.id DESC LIMIT 1`,
);
const MEASURE_RATE = statement(
  { rate: result.orNull(result.float) },
  `SELECT (sum(extract(epoch FROM completed_at - started_at)) * 1000 / nullif(sum(token_count), 0))::float8 AS rate
   FROM documents WHERE dataset_id = $1 AND status = 'completed' AND started_at IS NOT NULL AND deleted_at IS NULL
     AND split_revision_id IS NULL`,
);
const APPEND = statement(
  {},
  `INSERT INTO scan_events (tenant_id, scan_run_id, seq, event, data)
   SELECT $1, $2, coalesce((SELECT max(seq) FROM scan_events WHERE scan_run_id = $2), 0) + e.n, e.event, e.data
   FROM unnest($3::text[], $4::jsonb[]) WITH ORDINALITY AS e(event, data, n)`,
);
const LIST_EVENTS = statement(
  columnsOf(ScanEventEntity, 'seq', 'event', 'data', 'created_at'),
  `SELECT seq, event, data, created_at FROM scan_events WHERE scan_run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
);
const LIST_OUTCOMES = statement(
  { report: result.present(result.json<FileReport>()), chunks: result.integer, tokens: result.bigint },
  `SELECT DISTINCT ON (f.sha256) f.report, d.chunk_count AS chunks, d.token_count AS tokens
   FROM precheck_files f JOIN scan_runs r ON r.id = f.scan_run_id
     JOIN documents d ON d.dataset_id = r.dataset_id AND d.sha256 = f.sha256
   WHERE r.dataset_id = $1 AND f.report IS NOT NULL AND d.status = 'completed' AND ${isOpen('d')}
   ORDER BY f.sha256, r.created_at DESC`,
);

/** Files and events of precheck scans. */
@Injectable()
export class PrecheckFilesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Documents that wait for ingestion, or those of `ids` that exist; oldest first. */
  async listWaiting(
    ctx: RequestContext,
    datasetId: DatasetId,
    ids: readonly string[] | null,
    limit: number,
  ): Promise<NewPrecheckFile[]> {
    const rows = await this.query(ctx, LIST_WAITING, [datasetId, ids, limit]);
    return rows.map((row) => ({ ...row, name: null, blob_key: null }));
  }

  async add(ctx: TransactionContext, scanRunId: string, files: readonly NewPrecheckFile[]): Promise<void> {
    const rows = files.map((file, position) => ({ ...file, position }));
    await this.query(ctx, ADD, [ctx.tenantId, scanRunId, JSON.stringify(rows)]);
  }

  /** Files in order, without documents that have been deleted or quarantined since. */
  async list(ctx: RequestContext, scanRunId: string): Promise<ListedPrecheckFile[]> {
    return this.query(ctx, LIST, [scanRunId]);
  }

  /** Storage key and properties of the file of a document. */
  async findSource(ctx: RequestContext, id: string): Promise<FileSource | undefined> {
    return this.queryOne(ctx, FIND_SOURCE, [id]);
  }

  /** Stores the report of a file; false when it already has one. */
  async keep(ctx: TransactionContext, file: PrecheckFile, report: FileReport): Promise<boolean> {
    const rows = await this.query(ctx, KEEP, [file.scan_run_id, file.position, JSON.stringify(report)]);
    return rows.length > 0;
  }

  async listSamples(ctx: RequestContext, scanRunId: string): Promise<string[]> {
    return (await this.query(ctx, LIST_SAMPLES, [scanRunId])).map(({ blob_key: key }) => key);
  }

  /** Removes the samples of a scan; resolves to their storage keys. */
  async forgetSamples(ctx: TransactionContext, scanRunId: string): Promise<string[]> {
    return (await this.query(ctx, FORGET_SAMPLES, [scanRunId])).map(({ blob_key: key }) => key);
  }

  async hasSame(ctx: RequestContext, datasetId: DatasetId, sha256: string, except: string | null): Promise<boolean> {
    return (await this.queryOne(ctx, HAS_SAME, [datasetId, sha256, except]))?.found === true;
  }

  /**
   * The newest document of the dataset with the file's name (or path, if there is one) but another content; the file's own document does
   * not count.
   */
  async findNamesake(
    ctx: RequestContext,
    datasetId: DatasetId,
    name: string,
    { sha256, document_id: except }: PrecheckFile,
  ): Promise<DocumentId | undefined> {
    return (await this.queryOne(ctx, FIND_NAMESAKE, [datasetId, name, sha256, except]))?.id;
  }

  /** Average milliseconds of ingestion per token in the dataset; null: nothing was ingested. */
  async measureRate(ctx: RequestContext, datasetId: DatasetId): Promise<number | null> {
    return (await this.queryOne(ctx, MEASURE_RATE, [datasetId]))?.rate ?? null;
  }

  /** Appends events in the transaction that has locked the row of the scan, so that numbers have no gap. */
  async tell(
    ctx: TransactionContext,
    scanRunId: string,
    events: readonly { readonly event: string; readonly data: JsonObject }[],
  ): Promise<void> {
    const [names, data] = [events.map(({ event }) => event), events.map((each) => JSON.stringify(each.data))];
    await this.query(ctx, APPEND, [ctx.tenantId, scanRunId, names, data]);
  }

  async listEvents(ctx: RequestContext, scanRunId: string, after: number, limit: number): Promise<ScanEvent[]> {
    return this.query(ctx, LIST_EVENTS, [scanRunId, after, limit]);
  }

  /** The latest prediction for each file that was ingested. */
  async listOutcomes(ctx: RequestContext, datasetId: DatasetId): Promise<Outcome[]> {
    return this.query(ctx, LIST_OUTCOMES, [datasetId]);
  }
}
