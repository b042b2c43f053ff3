import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Plugins0015 implements MigrationInterface {
  readonly name = 'Plugins9000000000015';

  /** Which steps of which plugin's schema have run. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plugin_migrations (
        plugin text NOT NULL,
        name text NOT NULL,
        executed_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (plugin, name)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
