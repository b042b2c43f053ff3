import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `embedding_scales`: what cosines mean in an embedding space, as measured on probe texts when its model was installed. Of no tenant.
 * Written once for a space, so that every process and every later search has the same scale.
 */
export class EmbeddingScales0080 implements MigrationInterface {
  readonly name = 'EmbeddingScales9000000000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE embedding_scales (
      space text PRIMARY KEY,
      scale jsonb NOT NULL,
      measured_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
