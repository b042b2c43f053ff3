import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was asked of retrieval and what it found: ids, offsets and scores, never text of documents. `principal` is
 * `account:<id>` or `api_key:<id>`; `request_id` is the client's word and not unique, so a row has an id of its own.
 */
const REQUEST_LEDGER = `
CREATE TABLE request_ledger (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  request_id text NOT NULL,
  principal text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('search', 'chat', 'explain')),
  request jsonb NOT NULL,
  effective jsonb NOT NULL,
  datasets jsonb NOT NULL,
  config jsonb NOT NULL,
  config_fingerprint text NOT NULL,
  results jsonb NOT NULL,
  evidence double precision NOT NULL,
  report jsonb NOT NULL,
  explanation jsonb,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX request_ledger_lookup ON request_ledger (tenant_id, principal, request_id, created_at DESC);
CREATE INDEX request_ledger_created ON request_ledger (tenant_id, created_at);
ALTER TABLE request_ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_ledger FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON request_ledger
  USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
`;

export class RequestLedger0003 implements MigrationInterface {
  readonly name = 'RequestLedger0003000000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REQUEST_LEDGER);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
