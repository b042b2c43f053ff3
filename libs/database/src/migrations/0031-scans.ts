import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class Scans0031 implements MigrationInterface {
  readonly name = 'Scans9000000000031';

  /** Scans of datasets, one at a time of each kind; and what a profile scan has seen of each document while it runs. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scan_runs (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
        kind text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        task_id uuid,
        config jsonb NOT NULL,
        progress jsonb NOT NULL DEFAULT '{}',
        result jsonb,
        error jsonb,
        requested_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        ended_at timestamptz(3),
        CONSTRAINT scan_runs_kind_check CHECK (kind IN ('profile', 'precheck')),
        CONSTRAINT scan_runs_status_check CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled'))
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX scan_runs_open ON scan_runs (dataset_id, kind) WHERE status IN ('pending', 'running')`,
    );
    await runner.query(`CREATE INDEX scan_runs_listed ON scan_runs (dataset_id, kind, created_at DESC, id)`);
    await runner.query(tenantIsolation('scan_runs'));
    await runner.query(`
      CREATE TABLE scanned_documents (
        tenant_id uuid NOT NULL,
        scan_run_id uuid NOT NULL REFERENCES scan_runs (id) ON DELETE CASCADE,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        facts jsonb NOT NULL,
        signature bytea,
        PRIMARY KEY (scan_run_id, document_id)
      )`);
    await runner.query(`CREATE INDEX scanned_documents_document ON scanned_documents (document_id)`);
    await runner.query(tenantIsolation('scanned_documents'));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
