import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a quarantine is meant to last, who asked for its release, and whether releases of a tenant need two accounts. */
export class QuarantineWorkflow0030 implements MigrationInterface {
  readonly name = 'QuarantineWorkflow9000000000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE quarantines ADD COLUMN until timestamptz(3);
      ALTER TABLE quarantines ADD COLUMN release_asked_by uuid;
      ALTER TABLE quarantines ADD COLUMN release_asked_at timestamptz(3);
      ALTER TABLE tenants ADD COLUMN release_needs_two boolean NOT NULL DEFAULT false;
    `);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
