import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class KnowledgeGraph0046 implements MigrationInterface {
  readonly name = 'KnowledgeGraph9000000000046';

  /**
   * What documents say about entities, by document and generation: it is seen as long as its document is, and goes with it. Nodes and edges
   * are made of it when they are read, so that there are no counts that could differ from it.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE kg_graphs (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL CONSTRAINT kg_graphs_dataset_id_key UNIQUE REFERENCES datasets (id) ON DELETE CASCADE,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT kg_graphs_status_check
          CHECK (status IN ('pending', 'running', 'completed', 'failed')),
        entity_types text[] NOT NULL,
        document_ids uuid[],
        task_id uuid,
        last_document_id uuid,
        done integer NOT NULL DEFAULT 0,
        total integer,
        error jsonb,
        requested_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        triggered_at timestamptz(3) NOT NULL DEFAULT now(),
        ended_at timestamptz(3)
      )`);
    await runner.query(`
      CREATE TABLE kg_extractions (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        extractor text NOT NULL,
        entity_types text[] NOT NULL,
        PRIMARY KEY (document_id, generation)
      )`);
    await runner.query(`
      CREATE TABLE kg_mentions (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        position integer NOT NULL,
        entity_key text NOT NULL,
        label text NOT NULL,
        form text NOT NULL,
        entity_type text NOT NULL,
        chunk_id uuid NOT NULL,
        char_start bigint NOT NULL,
        char_end bigint NOT NULL,
        sentence_start bigint NOT NULL,
        PRIMARY KEY (document_id, generation, position)
      )`);
    await runner.query(`
      CREATE TABLE kg_relations (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        position integer NOT NULL,
        source_key text NOT NULL,
        target_key text NOT NULL,
        relation text NOT NULL,
        chunk_id uuid NOT NULL,
        char_start bigint NOT NULL,
        char_end bigint NOT NULL,
        PRIMARY KEY (document_id, generation, position)
      )`);
    for (const table of ['kg_graphs', 'kg_extractions', 'kg_mentions', 'kg_relations']) {
      await runner.query(tenantIsolation(table));
    }
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
