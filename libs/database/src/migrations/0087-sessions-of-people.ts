import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SessionsOfPeople0087 implements MigrationInterface {
  readonly name = 'SessionsOfPeople9000000000087';

  /**
   * A session says where it is kept and what its owner recognises it by. A token knows its predecessor: a page whose answer was lost while
   * it was loaded again has only that one.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE refresh_families
      ADD COLUMN in_cookie boolean NOT NULL DEFAULT false,
      ADD COLUMN user_agent text,
      ADD COLUMN network text,
      ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now()`);
    await runner.query(`UPDATE refresh_families f SET last_used_at = coalesce(
      (SELECT max(t.used_at) FROM refresh_tokens t WHERE t.family_id = f.id), f.created_at)`);
    await runner.query(`ALTER TABLE refresh_tokens ADD COLUMN predecessor_hash text`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
