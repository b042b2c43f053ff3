import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class Prechecks0032 implements MigrationInterface {
  readonly name = 'Prechecks9000000000032';

  /** Files of precheck scans, with what was predicted of them, and the events that such a scan tells. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE precheck_files (
        tenant_id uuid NOT NULL,
        scan_run_id uuid NOT NULL REFERENCES scan_runs (id) ON DELETE CASCADE,
        position integer NOT NULL,
        document_id uuid REFERENCES documents (id) ON DELETE CASCADE,
        name text,
        media_type text NOT NULL,
        declared_media_type text,
        size_bytes bigint NOT NULL,
        sha256 text NOT NULL,
        blob_key text,
        report jsonb,
        PRIMARY KEY (scan_run_id, position)
      )`);
    await runner.query(`CREATE INDEX precheck_files_document ON precheck_files (document_id)`);
    await runner.query(tenantIsolation('precheck_files'));
    await runner.query(`
      CREATE TABLE scan_events (
        tenant_id uuid NOT NULL,
        scan_run_id uuid NOT NULL REFERENCES scan_runs (id) ON DELETE CASCADE,
        seq integer NOT NULL,
        event text NOT NULL,
        data jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (scan_run_id, seq)
      )`);
    await runner.query(tenantIsolation('scan_events'));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
