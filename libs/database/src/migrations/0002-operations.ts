import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that are read before a tenant is known. */
const SYSTEM_TABLES = `
ALTER TABLE ingestion_tasks
  ADD COLUMN dataset_id uuid,
  ADD COLUMN size_bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN priority smallint NOT NULL DEFAULT 0,
  ADD COLUMN queued_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN not_before timestamptz(3),
  ADD COLUMN alone boolean NOT NULL DEFAULT false,
  ADD COLUMN request_id text;
CREATE INDEX ingestion_tasks_turn ON ingestion_tasks (tenant_id, priority, (CASE WHEN size_bytes > 1048576 THEN 1 ELSE 0 END), queued_at)
  WHERE lease_owner IS NULL AND not_before IS NULL;
CREATE INDEX ingestion_tasks_delayed ON ingestion_tasks (not_before) WHERE not_before IS NOT NULL;
CREATE TABLE ingestion_turns (
  tenant_id uuid PRIMARY KEY,
  served_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE store_intents DROP CONSTRAINT store_intents_kind_check;
ALTER TABLE store_intents ADD CONSTRAINT store_intents_kind_check
  CHECK (kind IN ('remove_generation', 'remove_blob', 'update_metadata'));
`;

/**
 * Tables of a tenant. `policy_version` and `revision_id` of a document are those of its latest attempt; what search shows may be
 * older, and is named by the `visible_…` and `ingested_…` columns, which are empty for what was ingested before this migration.
 */
const TENANT_TABLES = `
ALTER TABLE documents
  ADD COLUMN ingested_policy_version integer,
  ADD COLUMN visible_revision integer,
  ADD COLUMN visible_revision_id uuid,
  ADD COLUMN metadata_seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN stored_metadata_seq bigint NOT NULL DEFAULT 0;
CREATE INDEX documents_unsynced ON documents (dataset_id) WHERE metadata_seq <> stored_metadata_seq;
CREATE INDEX documents_deleted ON documents (dataset_id) WHERE deleted_at IS NOT NULL;
ALTER TABLE document_revisions
  ADD COLUMN name text,
  ADD COLUMN media_type text,
  ADD COLUMN declared_media_type text,
  ADD COLUMN created_by uuid;
ALTER TABLE document_revisions ADD COLUMN staged_text jsonb;
CREATE TABLE staged_segments (
  tenant_id uuid NOT NULL,
  revision_id uuid NOT NULL REFERENCES document_revisions (id) ON DELETE CASCADE,
  text_start bigint NOT NULL,
  text_end bigint NOT NULL,
  body text NOT NULL,
  blocks jsonb NOT NULL,
  PRIMARY KEY (revision_id, text_start)
);
ALTER TABLE policy_versions ADD COLUMN cleaned_up_at timestamptz(3);
ALTER TABLE chunks
  ADD COLUMN parent_start bigint,
  ADD COLUMN parent_end bigint,
  ADD COLUMN kind text;
CREATE INDEX document_events_created ON document_events (created_at);
CREATE TABLE quarantines (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  reason text NOT NULL,
  note text,
  quarantined_by uuid,
  quarantined_at timestamptz(3) NOT NULL DEFAULT now(),
  released_by uuid,
  released_at timestamptz(3)
);
CREATE UNIQUE INDEX quarantines_open ON quarantines (document_id) WHERE released_at IS NULL;
CREATE INDEX quarantines_listed ON quarantines (quarantined_at DESC, id) WHERE released_at IS NULL;
`;

export class Operations0002 implements MigrationInterface {
  readonly name = 'Operations0002000000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SYSTEM_TABLES);
    await runner.query(TENANT_TABLES);
    for (const table of ['quarantines', 'staged_segments']) {
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
