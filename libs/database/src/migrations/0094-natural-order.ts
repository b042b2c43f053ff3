import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NaturalOrder0094 implements MigrationInterface {
  readonly name = 'NaturalOrder9000000000094';

  /**
   * `natural_order`: how lists order names: numbers by their value ("Report 2" before "Report 10"), letters with accents beside those without,
   * capitals beside small letters. Where PostgreSQL has no ICU, or the database an encoding that it does not know, there is no such order: there the collation is the database's own.
   *
   * The index orders the documents of a dataset. It holds the column itself: row-level security lets no index of an expression be used
   * whose function is not leakproof.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$ BEGIN
      CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');
    EXCEPTION WHEN feature_not_supported THEN
      EXECUTE format('CREATE COLLATION natural_order (provider = libc, locale = %L)',
        (SELECT datcollate FROM pg_database WHERE datname = current_database()));
    END $$`);
    await runner.query(
      `CREATE INDEX documents_named ON documents (dataset_id, name COLLATE natural_order, id) WHERE deleted_at IS NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
