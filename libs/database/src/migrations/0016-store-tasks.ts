import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was recorded for the stores is carried out by tasks, one for each tenant and kind of what is open. */
const TASKS = `
INSERT INTO tasks (id, tenant_id, kind, subject, not_before)
  SELECT gen_random_uuid(), tenant_id,
    CASE kind WHEN 'update_metadata' THEN 'metadata_sync' WHEN 'remove_generation' THEN 'generation_removal' ELSE 'file_removal' END,
    tenant_id::text, min(due_at)
  FROM store_intents GROUP BY tenant_id, kind`;

export class StoreTasks0016 implements MigrationInterface {
  readonly name = 'StoreTasks9000000000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TASKS);
    await runner.query(`DROP INDEX store_intents_due`);
    await runner.query(`CREATE INDEX store_intents_due ON store_intents (tenant_id, kind, due_at)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
