import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that are read before a tenant is known: no row-level security, reachable under the system role only. */
const SYSTEM_TABLES = `
CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled')),
  default_tenant_id uuid REFERENCES tenants (id),
  platform_admin boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));
CREATE TABLE memberships (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'auditor', 'admin', 'owner')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, account_id)
);
CREATE INDEX memberships_account ON memberships (account_id);
CREATE TABLE refresh_families (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX refresh_families_account ON refresh_families (account_id);
CREATE TABLE refresh_tokens (
  token_hash text PRIMARY KEY,
  family_id uuid NOT NULL REFERENCES refresh_families (id) ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  secret_hash text NOT NULL,
  role text CHECK (role IN ('viewer', 'editor', 'auditor', 'admin', 'owner')),
  scopes text[] NOT NULL,
  dataset_ids uuid[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_account ON api_keys (tenant_id, account_id, created_at);
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  queue text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX outbox_created ON outbox (created_at);
CREATE TABLE ingestion_tasks (
  document_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  attempt integer NOT NULL,
  enqueued_at timestamptz(3) NOT NULL DEFAULT now(),
  lease_owner text,
  lease_expires_at timestamptz(3),
  fencing_token bigint,
  tries integer NOT NULL DEFAULT 0
);
CREATE INDEX ingestion_tasks_lease ON ingestion_tasks (lease_expires_at);
CREATE TABLE maintenance_tasks (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  progress jsonb NOT NULL DEFAULT '{}',
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX maintenance_tasks_open ON maintenance_tasks (updated_at) WHERE status IN ('pending', 'running');
CREATE TABLE store_intents (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('remove_generation', 'remove_blob')),
  subject text NOT NULL,
  payload jsonb NOT NULL,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX store_intents_subject ON store_intents (kind, subject);
CREATE INDEX store_intents_due ON store_intents (due_at);
CREATE SEQUENCE fencing_tokens AS bigint;
`;

/** Tables of one tenant each: row-level security is enabled and forced on every one of them. */
const TENANT_TABLES = `
CREATE TABLE datasets (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  description text,
  acl text NOT NULL CHECK (acl IN ('only_me', 'all_team_members', 'partial_members')),
  partial_member_list uuid[] NOT NULL DEFAULT '{}',
  owner_id uuid NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  policy_version integer NOT NULL DEFAULT 1,
  embedding_space text NOT NULL,
  embedding jsonb NOT NULL,
  content_seq bigint NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
CREATE UNIQUE INDEX datasets_name ON datasets (tenant_id, name_key) WHERE deleted_at IS NULL;
CREATE INDEX datasets_created ON datasets (tenant_id, created_at DESC, id);
CREATE TABLE categories (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  parent_id uuid REFERENCES categories (id),
  name text NOT NULL,
  name_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX categories_name ON categories (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), name_key);
CREATE TABLE dataset_categories (
  tenant_id uuid NOT NULL,
  dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  category_id uuid NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  PRIMARY KEY (dataset_id, category_id)
);
CREATE INDEX dataset_categories_category ON dataset_categories (category_id);
CREATE TABLE policy_versions (
  tenant_id uuid NOT NULL,
  dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  version integer NOT NULL,
  fingerprint text NOT NULL,
  author_id uuid,
  comment text,
  source_version integer,
  policy jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (dataset_id, version)
);
CREATE TABLE documents (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  dataset_id uuid NOT NULL REFERENCES datasets (id),
  name text NOT NULL,
  media_type text NOT NULL,
  declared_media_type text,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled')),
  current_stage text NOT NULL CHECK (current_stage IN ('parsing', 'chunking', 'embedding', 'vector_write', 'completed')),
  progress real NOT NULL DEFAULT 0,
  error jsonb,
  warnings jsonb NOT NULL DEFAULT '[]',
  waiting_reason text,
  attempt integer NOT NULL DEFAULT 1,
  fencing_token bigint,
  policy_version integer NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  revision_id uuid NOT NULL,
  visible_generation bigint,
  visible_chunk_set_id uuid,
  visibility_seq bigint NOT NULL DEFAULT 0,
  charset text,
  language text,
  chunk_count integer NOT NULL DEFAULT 0,
  token_count bigint NOT NULL DEFAULT 0,
  page_count integer,
  fidelity jsonb NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  quarantined_at timestamptz(3),
  deleted_at timestamptz(3)
);
CREATE INDEX documents_dataset ON documents (dataset_id, created_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX documents_status ON documents (dataset_id, status) WHERE deleted_at IS NULL;
CREATE INDEX documents_sha ON documents (dataset_id, sha256) WHERE deleted_at IS NULL;
CREATE INDEX documents_visibility ON documents (dataset_id, visibility_seq);
CREATE TABLE document_revisions (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  revision integer NOT NULL,
  blob_key text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  text_fingerprint text,
  text_length bigint,
  parsed jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (document_id, revision)
);
CREATE TABLE document_segments (
  tenant_id uuid NOT NULL,
  revision_id uuid NOT NULL REFERENCES document_revisions (id) ON DELETE CASCADE,
  text_start bigint NOT NULL,
  text_end bigint NOT NULL,
  body text NOT NULL,
  blocks jsonb NOT NULL,
  PRIMARY KEY (revision_id, text_start)
);
CREATE TABLE chunk_sets (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  revision_id uuid NOT NULL REFERENCES document_revisions (id) ON DELETE CASCADE,
  fingerprint text NOT NULL,
  complete boolean NOT NULL DEFAULT false,
  chunk_count integer NOT NULL DEFAULT 0,
  token_count bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (revision_id, fingerprint)
);
CREATE INDEX chunk_sets_document ON chunk_sets (document_id);
CREATE TABLE chunk_set_terms (
  tenant_id uuid NOT NULL,
  chunk_set_id uuid NOT NULL REFERENCES chunk_sets (id) ON DELETE CASCADE,
  part integer NOT NULL,
  summary bytea NOT NULL,
  PRIMARY KEY (chunk_set_id, part)
);
CREATE TABLE chunks (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL,
  chunk_set_id uuid NOT NULL REFERENCES chunk_sets (id) ON DELETE CASCADE,
  ordinal integer NOT NULL,
  text_start bigint NOT NULL,
  text_end bigint NOT NULL,
  body text NOT NULL,
  token_count integer NOT NULL,
  heading_path text[] NOT NULL DEFAULT '{}',
  page integer,
  sheet text,
  row_number integer,
  terms bytea NOT NULL,
  UNIQUE (chunk_set_id, ordinal)
);
CREATE TABLE chunk_vectors (
  tenant_id uuid NOT NULL,
  chunk_id uuid NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  space text NOT NULL,
  vector bytea NOT NULL,
  PRIMARY KEY (chunk_id, space)
);
CREATE TABLE document_events (
  tenant_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  event text NOT NULL,
  stage text,
  details jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (document_id, seq)
);
CREATE TABLE dataset_deletions (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  dataset_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('delete', 'purge')),
  status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  documents integer NOT NULL,
  chunks integer NOT NULL,
  blobs integer NOT NULL,
  requested_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3)
);
CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL,
  principal text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  owner text NOT NULL,
  response jsonb,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, principal, route, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
CREATE TABLE audit_log (
  tenant_id uuid NOT NULL,
  seq bigint NOT NULL,
  event text NOT NULL,
  actor text NOT NULL,
  subject text,
  request_id text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  previous_hash text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, seq)
);
`;

const RLS_TABLES = [
  'datasets',
  'categories',
  'dataset_categories',
  'policy_versions',
  'documents',
  'document_revisions',
  'document_segments',
  'chunk_sets',
  'chunk_set_terms',
  'chunks',
  'chunk_vectors',
  'document_events',
  'dataset_deletions',
  'idempotency_keys',
  'audit_log',
] as const;

export class Initial0001 implements MigrationInterface {
  readonly name = 'Initial0001000000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SYSTEM_TABLES);
    await runner.query(TENANT_TABLES);
    for (const table of RLS_TABLES) {
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
    throw new Error('The first migration has no way back; drop the database instead.');
  }
}
