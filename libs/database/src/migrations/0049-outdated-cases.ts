import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OutdatedCases0049 implements MigrationInterface {
  readonly name = 'OutdatedCases9000000000049';

  /**
   * Whether the sentence of a case that was made of a document still stands in it: looked at when a set is read or used and the document shows other
   * chunks than at the last look. What the service made stood there when it was made; of what a person edited nobody has looked yet.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evaluation_case_texts ADD COLUMN checked_chunk_set_id uuid,
        ADD COLUMN evidence text NOT NULL DEFAULT 'unknown' CHECK (evidence IN ('unknown', 'standing', 'gone'))`);
    await runner.query(
      `UPDATE evaluation_case_texts SET evidence = 'standing' WHERE (content ->> 'generated')::boolean IS TRUE`,
    );
    await runner.query(`ALTER TABLE evaluation_jobs ADD COLUMN outdated_cases integer NOT NULL DEFAULT 0`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
