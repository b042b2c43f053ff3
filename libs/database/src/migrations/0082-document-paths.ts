import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `documents.path`: where a document lies in the folder that it comes from. `documents.same_name_id`: the other document that had its
 * name when it was uploaded. `datasets.on_same_name`: what becomes of a file whose name the dataset holds with other content. Whatever is
 * there has no path and keeps both.
 */
export class DocumentPaths0082 implements MigrationInterface {
  readonly name = 'DocumentPaths9000000000082';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD COLUMN path text, ADD COLUMN same_name_id uuid');
    await runner.query(
      `ALTER TABLE datasets ADD COLUMN on_same_name text NOT NULL DEFAULT 'keep_both',
         ADD CONSTRAINT datasets_on_same_name_check CHECK (on_same_name IN ('keep_both', 'new_revision'))`,
    );
    // Of hashes, since a path may be longer than an entry of an index.
    await runner.query(
      `CREATE INDEX documents_same_name ON documents (dataset_id, hashtextextended(coalesce(path, name), 0)) WHERE deleted_at IS NULL`,
    );
    await runner.query(`CREATE INDEX documents_named_after ON documents (same_name_id) WHERE same_name_id IS NOT NULL`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
