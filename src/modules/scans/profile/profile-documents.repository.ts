import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId, JsonObject, RevisionId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { UnseenText } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, isOpen, TEXT_REVISION } from '../../documents/index.js';

const COUNT = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM documents d WHERE d.dataset_id = $1 AND ${isOpen('d')} AND d.split_revision_id IS NULL`,
);
const LIST_NEXT = statement(
  {
    ...columnsOf(
      DocumentEntity,
      'id',
      'name',
      'path',
      'metadata',
      'tags',
      'status',
      'media_type',
      'size_bytes',
      'sha256',
      'language',
      'charset',
      'chunk_count',
      'token_count',
      'page_count',
      'fidelity',
      'warnings',
    ),
    metadata_keys: result.texts(),
    is_shown: result.boolean,
    has_namesake: result.boolean,
    policy_version: result.integer,
    text_revision_id: result.orNull(result.uuid<RevisionId>()),
    text_length: result.orNull(result.bigint),
    content_at: result.orNull(result.time),
    title: result.orNull(result.text()),
    unseen: result.orNull(result.json<UnseenText[]>()),
  },
  `SELECT d.id, d.name, d.path, d.metadata, d.tags, d.status, d.media_type, d.size_bytes, d.sha256, d.language, d.charset, d.chunk_count, d.token_count, d.page_count,
     d.fidelity, d.warnings, EXISTS (SELECT 1 FROM shown_documents v WHERE v.id = d.id) AS is_shown,
     EXISTS (SELECT 1 FROM documents o WHERE o.id = d.same_name_id AND ${isOpen('o')}) AS has_namesake,
     ARRAY(SELECT m.key FROM jsonb_each(d.metadata) m WHERE m.value <> 'null' ORDER BY m.key LIMIT 100) AS metadata_keys,
     coalesce(d.ingested_policy_version, d.policy_version) AS policy_version,
     r.id AS text_revision_id, r.text_length, r.created_at AS content_at, r.parsed ->> 'title' AS title, r.parsed -> 'unseen' AS unseen
   FROM documents d LEFT JOIN document_revisions r ON r.id = ${TEXT_REVISION}
   WHERE d.dataset_id = $1 AND ${isOpen('d')} AND d.split_revision_id IS NULL AND d.id > $2 ORDER BY d.id LIMIT $3`,
);
const READ_TEXTS = statement(
  { revision_id: result.uuid<RevisionId>(), body: result.text() },
  `SELECT revision_id, body FROM document_segments WHERE revision_id = ANY ($1::uuid[]) ORDER BY revision_id, text_start`,
);
const READ_NEXT = statement(
  { text_start: result.bigint, body: result.text() },
  `SELECT text_start, body FROM document_segments WHERE revision_id = $1 AND text_start > $2 ORDER BY text_start LIMIT 1`,
);
const LIST_NAMES = statement(
  columnsOf(DocumentEntity, 'id', 'name'),
  `SELECT d.id, d.name FROM documents d WHERE d.dataset_id = $1 AND d.id = ANY ($2::uuid[]) AND ${isOpen('d')}`,
);

/** A document with the properties that a profile scan reads. */
export interface ProfiledDocument {
  readonly id: DocumentId;
  readonly name: string;
  readonly path: string | null;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  /** The title in the content. */
  readonly title: string | null;
  /** Stretches of the text that a reader of the file does not see. */
  readonly unseen: readonly UnseenText[] | null;
  readonly status: DocumentEntity['status'];
  readonly media_type: string;
  readonly size_bytes: string;
  readonly sha256: string;
  readonly language: string | null;
  readonly charset: string | null;
  readonly chunk_count: number;
  readonly token_count: string;
  readonly page_count: number | null;
  readonly fidelity: JsonObject;
  readonly warnings: DocumentEntity['warnings'];
  readonly metadata_keys: readonly string[];
  /** Whether a search can find something of the document. */
  readonly is_shown: boolean;
  /** Whether another document, which is still visible, had the same name at the upload. */
  readonly has_namesake: boolean;
  readonly policy_version: number;
  /** Revision of the text; null together with `text_length`: there is no text yet. */
  readonly text_revision_id: RevisionId | null;
  readonly text_length: string | null;
  /** Time of the upload. */
  readonly content_at: Date | null;
}

/** Reads documents of a dataset that are neither deleted nor quarantined. The caller must check that the dataset may be seen. */
@Injectable()
export class ProfileDocumentsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async count(ctx: RequestContext, datasetId: DatasetId): Promise<number> {
    return (await this.queryOne(ctx, COUNT, [datasetId]))?.n ?? 0;
  }

  /** Documents after `after`, in the order of their ids. */
  async listNext(ctx: RequestContext, datasetId: DatasetId, after: string, limit: number): Promise<ProfiledDocument[]> {
    return this.query(ctx, LIST_NEXT, [datasetId, after, limit]);
  }

  /** Pieces of short texts, in order, by revision. */
  async readTexts(ctx: RequestContext, revisionIds: readonly RevisionId[]): Promise<Map<RevisionId, string[]>> {
    const texts = new Map<RevisionId, string[]>(revisionIds.map((id) => [id, []]));
    for (const { revision_id: id, body } of await this.query(ctx, READ_TEXTS, [revisionIds])) texts.get(id)!.push(body);
    return texts;
  }

  /** Pieces of a long text, in order, one query each. */
  async *readText(ctx: RequestContext, revisionId: RevisionId): AsyncGenerator<string> {
    for (let from = -1; ;) {
      const row = await this.queryOne(ctx, READ_NEXT, [revisionId, from]);
      if (row === undefined) return;
      from = Number(row.text_start);
      yield row.body;
    }
  }

  /** Present names of documents that are neither deleted nor quarantined, by id. */
  async listNames(ctx: RequestContext, datasetId: DatasetId, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query(ctx, LIST_NAMES, [datasetId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
