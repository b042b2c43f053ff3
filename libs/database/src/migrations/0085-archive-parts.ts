import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `documents.archive_id`: the archive that a document is a file of. `documents.split_revision_id`: the revision of an archive that its files
 * were made of; null: the document is no archive, or one text. `documents.searchable_parts`: how many files of an archive a search can find.
 * `document_revisions.content_guard` `purged`: a file of the archive was purged, and its bytes are removed. Whatever is there is no file of
 * an archive and stays one text.
 */
export class ArchiveParts0085 implements MigrationInterface {
  readonly name = 'ArchiveParts9000000000085';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE documents ADD COLUMN archive_id uuid, ADD COLUMN split_revision_id uuid,
         ADD COLUMN searchable_parts integer NOT NULL DEFAULT 0`,
    );
    await runner.query(`CREATE INDEX documents_archive ON documents (archive_id) WHERE archive_id IS NOT NULL`);
    await runner.query(
      `ALTER TABLE document_revisions DROP CONSTRAINT document_revisions_content_guard_check,
         ADD CONSTRAINT document_revisions_content_guard_check
           CHECK (content_guard IN ('unread', 'masked', 'rejected', 'purged'))`,
    );
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
