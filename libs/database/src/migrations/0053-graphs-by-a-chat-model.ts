import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class GraphsByAChatModel0053 implements MigrationInterface {
  readonly name = 'GraphsByAChatModel9000000000053';

  /**
   * What a chat model read out of chunks, by document, so that none is paid for twice and all of it goes with its document; and what an
   * extraction may use, has used and has left out.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE kg_chunk_answers (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        extractor text NOT NULL,
        chunk_hash bytea NOT NULL,
        answer jsonb NOT NULL,
        answered_at timestamptz(3) NOT NULL DEFAULT now(),
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (document_id, extractor, chunk_hash)
      )`);
    await runner.query(`CREATE INDEX kg_chunk_answers_chunk ON kg_chunk_answers (tenant_id, extractor, chunk_hash)`);
    await runner.query(`CREATE INDEX kg_chunk_answers_used ON kg_chunk_answers (tenant_id, used_at)`);
    await runner.query(tenantIsolation('kg_chunk_answers'));
    await runner.query(`
      CREATE OR REPLACE FUNCTION forget_closed_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM embedding_cache WHERE document_id = NEW.id;
        DELETE FROM chunk_lines WHERE document_id = NEW.id;
        DELETE FROM kg_chunk_answers WHERE document_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`ALTER TABLE kg_extractions ADD COLUMN skipped integer NOT NULL DEFAULT 0`);
    await runner.query(`
      ALTER TABLE kg_graphs
        ADD COLUMN mode text NOT NULL DEFAULT 'heuristic' CONSTRAINT kg_graphs_mode_check CHECK (mode IN ('heuristic', 'llm')),
        ADD COLUMN model text,
        ADD COLUMN budget_tokens bigint,
        ADD COLUMN reserved_tokens bigint NOT NULL DEFAULT 0,
        ADD COLUMN calls integer NOT NULL DEFAULT 0,
        ADD COLUMN input_tokens bigint NOT NULL DEFAULT 0,
        ADD COLUMN output_tokens bigint NOT NULL DEFAULT 0,
        ADD COLUMN cost double precision NOT NULL DEFAULT 0,
        ADD COLUMN cached_chunks integer NOT NULL DEFAULT 0,
        ADD COLUMN skipped jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN remaining jsonb,
        ADD COLUMN waiting_since timestamptz(3),
        DROP CONSTRAINT kg_graphs_status_check,
        ADD CONSTRAINT kg_graphs_status_check CHECK (status IN ('pending', 'running', 'completed', 'incomplete', 'failed'))`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
