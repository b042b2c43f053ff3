import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `dataset_spaces`: embedding spaces beside that of the dataset in which it may have rows in the vector store. `searched`: chunks
 * may lie there that are in no other index. `reembeddings`: the moves of datasets from one space to another.
 */
const TABLES = `
CREATE TABLE dataset_spaces (
  tenant_id uuid NOT NULL,
  dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  space text NOT NULL,
  searched boolean NOT NULL,
  PRIMARY KEY (dataset_id, space)
);
CREATE TABLE reembeddings (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'rolled_back')),
  from_space text NOT NULL,
  from_embedding jsonb NOT NULL,
  to_space text NOT NULL,
  to_embedding jsonb NOT NULL,
  documents integer NOT NULL DEFAULT 0,
  documents_done integer NOT NULL DEFAULT 0,
  chunks_embedded integer NOT NULL DEFAULT 0,
  parity jsonb,
  error text,
  requested_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  switched_at timestamptz(3),
  ended_at timestamptz(3),
  former_dropped_at timestamptz(3)
);
CREATE UNIQUE INDEX reembeddings_open ON reembeddings (dataset_id) WHERE status IN ('pending', 'running');
CREATE INDEX reembeddings_listed ON reembeddings (dataset_id, created_at DESC, id);
`;

export class EmbeddingSwitch0004 implements MigrationInterface {
  readonly name = 'EmbeddingSwitch0004000000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of ['dataset_spaces', 'reembeddings']) {
      await runner.query(`
        ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant_isolation ON ${table}
          USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
          WITH CHECK (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
      `);
    }
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
