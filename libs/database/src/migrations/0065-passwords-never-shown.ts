import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PasswordsNeverShown0065 implements MigrationInterface {
  readonly name = 'PasswordsNeverShown9000000000065';

  /** A start that ends between making the first administrator and showing the password leaves one that nobody knows. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN password_unshown boolean NOT NULL DEFAULT false`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
