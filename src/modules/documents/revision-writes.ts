import type { EntityManager } from 'typeorm';
import type { AccountId, RevisionId, TenantId } from '#libs/common';

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
}

/** Writes the row of a revision, in the transaction of `manager`. */
export async function insertRevision(
  manager: EntityManager,
  tenantId: TenantId,
  documentId: string,
  revision: number,
  file: RevisionFile,
): Promise<void> {
  await manager.query(
    `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256, name, media_type,
       declared_media_type, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      file.revisionId,
      tenantId,
      documentId,
      revision,
      file.blobKey,
      file.sizeBytes,
      file.sha256,
      file.name,
      file.mediaType,
      file.declaredMediaType,
      file.createdBy,
    ],
  );
}
