import type { EntityManager } from 'typeorm';
import type { AccountId, RevisionId, TenantId } from '#libs/common';
import { rowsOf, statement } from '#libs/database';
import type { ContentGuard } from './document-revision.entity.js';

/** A file as a revision of a document. */
export interface RevisionFile {
  readonly revisionId: RevisionId;
  readonly name: string;
  readonly mediaType: string;
  readonly declaredMediaType: string | null;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly blobKey: string;
  readonly createdBy: AccountId;
  /** Left out: every caller who sees the document may read the file. */
  readonly contentGuard?: ContentGuard | null;
}

/** A revision of a document, with its number from 1. */
export interface NumberedRevision extends RevisionFile {
  readonly documentId: string;
  readonly revision: number;
}

const INSERT_REVISIONS = statement(
  {},
  `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256, name, media_type,
     declared_media_type, created_by, content_guard)
   SELECT r.id, $1, r.document_id, r.revision, r.blob_key, r.size_bytes, r.sha256, r.name, r.media_type, r.declared, r.created_by, r.guard
   FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[],
     $11::uuid[], $12::text[])
     AS r(id, document_id, revision, blob_key, size_bytes, sha256, name, media_type, declared, created_by, guard)`,
);

/** Writes the rows of revisions, in the transaction of `manager`. */
export async function insertRevisions(
  manager: EntityManager,
  tenantId: TenantId,
  files: readonly NumberedRevision[],
): Promise<void> {
  await rowsOf(manager, INSERT_REVISIONS, [
    tenantId,
    files.map((file) => file.revisionId),
    files.map((file) => file.documentId),
    files.map((file) => file.revision),
    files.map((file) => file.blobKey),
    files.map((file) => file.sizeBytes),
    files.map((file) => file.sha256),
    files.map((file) => file.name),
    files.map((file) => file.mediaType),
    files.map((file) => file.declaredMediaType),
    files.map((file) => file.createdBy),
    files.map((file) => file.contentGuard ?? null),
  ]);
}
