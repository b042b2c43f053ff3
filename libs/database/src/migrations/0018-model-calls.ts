import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class ModelCalls0018 implements MigrationInterface {
  readonly name = 'ModelCalls9000000000018';

  /**
   * Whose turn it is to call a remote model, over all processes: ids and times only. Since when a document waits for a model.
   * Vectors by the text that they were made of, each with the document that the text stands in.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_turns (
        id uuid PRIMARY KEY,
        model text NOT NULL,
        party uuid NOT NULL,
        waits_for_person boolean NOT NULL,
        asked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        granted_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX model_turns_model ON model_turns (model)`);
    await runner.query(`ALTER TABLE documents ADD COLUMN provider_waiting_since timestamptz(3)`);
    await runner.query(`
      CREATE TABLE embedding_cache (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        space text NOT NULL,
        text_hash bytea NOT NULL,
        vector bytea NOT NULL,
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (document_id, space, text_hash)
      )`);
    await runner.query(`CREATE INDEX embedding_cache_text ON embedding_cache (tenant_id, space, text_hash)`);
    await runner.query(`CREATE INDEX embedding_cache_used ON embedding_cache (tenant_id, used_at)`);
    await runner.query(tenantIsolation('embedding_cache'));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
