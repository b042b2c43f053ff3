import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EvaluationAnswers0042 implements MigrationInterface {
  readonly name = 'EvaluationAnswers9000000000042';

  /** What a chat answered to a case: facts about the answer, no text of it. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE evaluation_results ADD COLUMN answer jsonb`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
