import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads in parts that a storage holds until they are completed or given up. Ids and times only; read before a tenant is known. */
export class UnfinishedUploads0013 implements MigrationInterface {
  readonly name = 'UnfinishedUploads9000000000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unfinished_uploads (
        place text NOT NULL,
        upload_id text NOT NULL,
        object_key text NOT NULL,
        began_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (place, upload_id)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
