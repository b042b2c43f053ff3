import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `documents.part_count`, `open_parts`, `failed_parts`: files of an archive, those that have not ended and those that failed, so that the end of one costs
 * the same however many there are. Null until the archive is next looked at as a whole. The index finds an open file, or some that failed.
 */
export class CountsOfArchives0086 implements MigrationInterface {
  readonly name = 'CountsOfArchives9000000000086';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE documents ADD COLUMN part_count integer, ADD COLUMN open_parts integer, ADD COLUMN failed_parts integer`,
    );
    await runner.query(
      `CREATE INDEX documents_parts ON documents (archive_id, status) WHERE archive_id IS NOT NULL AND deleted_at IS NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
