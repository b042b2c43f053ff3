import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

const TABLES = ['model_usage', 'model_months', 'model_reservations'];

export class ModelUsage0017 implements MigrationInterface {
  readonly name = 'ModelUsage9000000000017';

  /**
   * What calls of remote models took, by day; the sums of each month, against which budgets are held; what is set aside for calls
   * under way. The dataset of `model_usage` is the nil UUID where a call was made for none: what was paid for stays when a dataset goes.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tenants ADD COLUMN budgets jsonb`);
    await runner.query(`
      CREATE TABLE model_usage (
        tenant_id uuid NOT NULL,
        day date NOT NULL,
        dataset_id uuid NOT NULL,
        port text NOT NULL,
        provider text NOT NULL,
        model text NOT NULL,
        purpose text NOT NULL,
        requests bigint NOT NULL DEFAULT 0,
        input_tokens bigint NOT NULL DEFAULT 0,
        output_tokens bigint NOT NULL DEFAULT 0,
        estimated_tokens bigint NOT NULL DEFAULT 0,
        cost numeric(24,9) NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, day, dataset_id, port, provider, model, purpose)
      )`);
    await runner.query(`
      CREATE TABLE model_months (
        tenant_id uuid NOT NULL,
        month date NOT NULL,
        tokens bigint NOT NULL DEFAULT 0,
        cost numeric(24,9) NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, month)
      )`);
    await runner.query(`
      CREATE TABLE model_reservations (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        month date NOT NULL,
        tokens bigint NOT NULL,
        cost numeric(24,9) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX model_reservations_month ON model_reservations (tenant_id, month)`);
    for (const table of TABLES) await runner.query(tenantIsolation(table));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
