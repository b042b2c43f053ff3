import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class ChunkContexts0024 implements MigrationInterface {
  readonly name = 'ChunkContexts9000000000024';

  /** A line about where a chunk stands in its document; those that were written, by document, model and text, so that none is paid twice. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chunks ADD COLUMN context text`);
    await runner.query(`
      CREATE TABLE chunk_lines (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        writer text NOT NULL,
        text_hash bytea NOT NULL,
        line text NOT NULL,
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (document_id, writer, text_hash)
      )`);
    await runner.query(`CREATE INDEX chunk_lines_used ON chunk_lines (tenant_id, used_at)`);
    await runner.query(tenantIsolation('chunk_lines'));
    await runner.query(`
      CREATE OR REPLACE FUNCTION forget_closed_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM embedding_cache WHERE document_id = NEW.id;
        DELETE FROM chunk_lines WHERE document_id = NEW.id;
        RETURN NULL;
      END $$`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
