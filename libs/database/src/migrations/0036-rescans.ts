import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class Rescans0036 implements MigrationInterface {
  readonly name = 'Rescans9000000000036';

  /** Rescans of datasets for sensitive content, one at a time; their findings go with them. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE governance_rescans (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT governance_rescans_status_check
          CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
        task_id uuid,
        last_document_id uuid,
        done integer NOT NULL DEFAULT 0,
        total integer,
        error jsonb,
        requested_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        ended_at timestamptz(3)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX governance_rescans_open ON governance_rescans (dataset_id) WHERE status IN ('pending', 'running')`,
    );
    await runner.query(
      `CREATE INDEX governance_rescans_listed ON governance_rescans (dataset_id, created_at DESC, id)`,
    );
    await runner.query(tenantIsolation('governance_rescans'));
    await runner.query(`
      ALTER TABLE governance_findings ADD CONSTRAINT governance_findings_rescan_id_fkey
        FOREIGN KEY (rescan_id) REFERENCES governance_rescans (id) ON DELETE CASCADE`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
