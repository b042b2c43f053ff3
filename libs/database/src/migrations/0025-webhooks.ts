import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Endpoints with their sealed secrets, and a row for each event and endpoint: what is to be sent, in which order, and how the attempts
 * went. Deliveries of one lane (a document, or a dataset) are made one after the other.
 */
const WEBHOOKS = `
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  account_id uuid NOT NULL,
  dataset_ids uuid[],
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  enabled boolean NOT NULL,
  disabled_reason text CHECK (disabled_reason IN ('requested', 'gone', 'failing', 'account_left', 'permission_lost')),
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  secret text NOT NULL,
  former_secret text,
  former_secret_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhook_endpoints_list ON webhook_endpoints (tenant_id, created_at);

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id uuid NOT NULL,
  seq bigint NOT NULL,
  event_type text NOT NULL,
  lane uuid NOT NULL,
  dataset_ids uuid[] NOT NULL,
  body text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  tries integer NOT NULL DEFAULT 0,
  attempt_count integer NOT NULL DEFAULT 0,
  attempts jsonb NOT NULL DEFAULT '[]',
  error_code text,
  next_attempt_at timestamptz(3),
  claimed_by uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  UNIQUE (endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (endpoint_id, lane, seq) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (tenant_id, ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_endpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON webhook_endpoints
  USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON webhook_deliveries
  USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
`;

export class Webhooks0025 implements MigrationInterface {
  readonly name = 'Webhooks9000000000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WEBHOOKS);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
