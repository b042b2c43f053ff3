import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What chats over a dataset tell their model. */
export class DatasetInstructions0020 implements MigrationInterface {
  readonly name = 'DatasetInstructions9000000000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE datasets ADD COLUMN instructions text');
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
