import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LiveProcesses0067 implements MigrationInterface {
  readonly name = 'LiveProcesses9000000000067';

  /**
   * Processes say that they live, so that the others can tell when none is left that works. Why a document waits stands with its task too,
   * which is counted over all tenants by one statement.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE processes (
      id uuid PRIMARY KEY,
      role text NOT NULL,
      version text NOT NULL,
      started_at timestamptz NOT NULL DEFAULT now(),
      seen_at timestamptz NOT NULL DEFAULT now()
    )`);
    await runner.query(`ALTER TABLE tasks ADD COLUMN waiting_reason text`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
