import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class SharedAnswers0089 implements MigrationInterface {
  readonly name = 'SharedAnswers9000000000089';

  /** Links to single answers. One goes with its turn, and so with the conversation, the membership, the API key and the dataset. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE shared_answers (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        turn_id uuid NOT NULL CONSTRAINT shared_answers_turn_id_fkey REFERENCES conversation_turns (id) ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        created_by uuid NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX shared_answers_turn ON shared_answers (turn_id)`);
    await runner.query(tenantIsolation('shared_answers'));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
