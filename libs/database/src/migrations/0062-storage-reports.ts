import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StorageReports0062 implements MigrationInterface {
  readonly name = 'StorageReports9000000000062';

  /** Which servers are full, for all processes; and the bytes of a tenant's files without a look at those of others. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE storage_reports (
        place text PRIMARY KEY,
        until timestamptz(3) NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX document_revisions_bytes ON document_revisions (tenant_id, document_id, size_bytes)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
