import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ShorterChunks0081 implements MigrationInterface {
  readonly name = 'ShorterChunks9000000000081';

  /**
   * Rows of chunks that are longer than 2 kB have their text compressed and lie in one piece: terms have become short enough for that.
   * PostgreSQL's default would put the terms aside, in pieces that fill their pages badly, and leave the text as it is. Rows that are
   * there stay as they are.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chunks ALTER COLUMN body SET STORAGE MAIN, ALTER COLUMN terms SET STORAGE MAIN`);
    await runner.query(`ALTER TABLE chunks SET (toast_tuple_target = 512)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
