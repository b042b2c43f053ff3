import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Domain events hold ids, numbers and codes, and are read before a tenant is known: system tables. `domain_events` is what was
 * published and not handed out yet; `event_deliveries` what a subscriber has still to learn; an event lane is the deliveries of one subscriber
 * about one subject, whose order is kept: it is due at a time, or in work under a token until then. `failing_since` is when its
 * first delivery failed first.
 */
const TABLES = `
CREATE TABLE domain_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  version integer NOT NULL,
  subject uuid NOT NULL,
  payload jsonb NOT NULL,
  request_id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE event_subscriptions (
  subscriber text NOT NULL,
  type text NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (subscriber, type)
);
CREATE TABLE event_deliveries (
  subscriber text NOT NULL,
  subject uuid NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  version integer NOT NULL,
  payload jsonb NOT NULL,
  request_id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  PRIMARY KEY (subscriber, subject, seq)
);
CREATE TABLE event_lanes (
  subscriber text NOT NULL,
  subject uuid NOT NULL,
  tenant_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL,
  token bigint,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  PRIMARY KEY (subscriber, subject)
);
CREATE INDEX event_lanes_fresh ON event_lanes (subscriber, due_at) WHERE failing_since IS NULL;
CREATE INDEX event_lanes_failing ON event_lanes (subscriber, due_at) WHERE failing_since IS NOT NULL;
CREATE TABLE parked_events (
  subscriber text NOT NULL,
  seq bigint NOT NULL,
  subject uuid NOT NULL,
  id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  version integer NOT NULL,
  payload jsonb NOT NULL,
  request_id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  failures integer NOT NULL,
  reason text NOT NULL,
  parked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (subscriber, seq)
);
CREATE INDEX parked_events_age ON parked_events (parked_at);
`;

export class DomainEvents0011 implements MigrationInterface {
  readonly name = 'DomainEvents9000000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
