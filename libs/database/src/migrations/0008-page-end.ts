import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `chunks.page_end`: page on which a chunk ends. Null too for a chunk with a page that was made before. */
export class PageEnd0008 implements MigrationInterface {
  readonly name = 'PageEnd0008000000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chunks ADD COLUMN page_end integer`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
