import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class Tables0044 implements MigrationInterface {
  readonly name = 'Tables9000000000044';

  /** Files that go with a generation of a document, and the tables of documents with their lasting names. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE generation_files (
        id uuid PRIMARY KEY,
        key text NOT NULL CONSTRAINT generation_files_key UNIQUE,
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        size_bytes bigint,
        sha256 text
      )`);
    await runner.query(`CREATE INDEX generation_files_document ON generation_files (document_id, generation)`);
    await runner.query(tenantIsolation('generation_files'));
    await runner.query(`
      CREATE TABLE document_tables (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        ordinal integer NOT NULL,
        dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
        name text NOT NULL,
        title text NOT NULL,
        sheet text,
        page integer,
        row_count integer NOT NULL,
        total_rows integer NOT NULL,
        combined_name text NOT NULL,
        columns jsonb NOT NULL,
        profiles jsonb NOT NULL,
        samples jsonb NOT NULL,
        repaired jsonb NOT NULL,
        fidelity text NOT NULL CONSTRAINT document_tables_fidelity_check CHECK (fidelity IN ('exact', 'guessed')),
        object_key text NOT NULL,
        size_bytes bigint NOT NULL,
        PRIMARY KEY (document_id, generation, ordinal)
      )`);
    await runner.query(`CREATE INDEX document_tables_dataset ON document_tables (dataset_id, name)`);
    await runner.query(tenantIsolation('document_tables'));
    await runner.query(`
      CREATE TABLE table_names (
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        sheet text NOT NULL,
        nth integer NOT NULL,
        name text NOT NULL,
        PRIMARY KEY (document_id, sheet, nth)
      )`);
    await runner.query(`CREATE UNIQUE INDEX table_names_name ON table_names (dataset_id, name)`);
    await runner.query(tenantIsolation('table_names'));
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
