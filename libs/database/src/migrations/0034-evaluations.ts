import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class Evaluations0034 implements MigrationInterface {
  readonly name = 'Evaluations9000000000034';

  /** Sets of cases with their versions; jobs over them, with what each case gave under each variant and what happened meanwhile. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE evaluation_case_sets (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        name text NOT NULL,
        dataset_ids uuid[] NOT NULL,
        version integer NOT NULL,
        case_count integer NOT NULL,
        unapproved_count integer NOT NULL,
        created_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(
      `CREATE INDEX evaluation_case_sets_listed ON evaluation_case_sets (tenant_id, created_at DESC, id DESC)`,
    );
    await runner.query(`
      CREATE TABLE evaluation_case_set_versions (
        tenant_id uuid NOT NULL,
        case_set_id uuid NOT NULL REFERENCES evaluation_case_sets (id) ON DELETE CASCADE,
        version integer NOT NULL,
        cases jsonb NOT NULL,
        created_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (case_set_id, version)
      )`);
    await runner.query(`
      CREATE TABLE evaluation_jobs (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        name text NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
        dataset_ids uuid[] NOT NULL,
        shown_with_dataset_ids uuid[] NOT NULL,
        case_set_id uuid,
        case_set_version integer,
        baseline_job_id uuid,
        spec jsonb NOT NULL,
        cases jsonb NOT NULL,
        case_count integer NOT NULL,
        steps integer NOT NULL,
        steps_done integer NOT NULL DEFAULT 0,
        task_id uuid,
        contents jsonb,
        summary jsonb,
        verdict text CHECK (verdict IN ('pass', 'fail', 'inconclusive')),
        error_code text,
        error text,
        created_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        ended_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX evaluation_jobs_listed ON evaluation_jobs (tenant_id, created_at DESC, id DESC)`);
    await runner.query(`
      CREATE TABLE evaluation_results (
        tenant_id uuid NOT NULL,
        job_id uuid NOT NULL REFERENCES evaluation_jobs (id) ON DELETE CASCADE,
        variant integer NOT NULL,
        ordinal integer NOT NULL,
        metrics jsonb NOT NULL,
        ranked jsonb NOT NULL,
        latency_ms double precision NOT NULL,
        fingerprint text,
        miss jsonb,
        error_code text,
        PRIMARY KEY (job_id, variant, ordinal)
      )`);
    await runner.query(`
      CREATE TABLE evaluation_events (
        tenant_id uuid NOT NULL,
        job_id uuid NOT NULL REFERENCES evaluation_jobs (id) ON DELETE CASCADE,
        id integer NOT NULL,
        type text NOT NULL,
        data jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (job_id, id)
      )`);
    for (const table of [
      'evaluation_case_sets',
      'evaluation_case_set_versions',
      'evaluation_jobs',
      'evaluation_results',
      'evaluation_events',
    ])
      await runner.query(tenantIsolation(table));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
