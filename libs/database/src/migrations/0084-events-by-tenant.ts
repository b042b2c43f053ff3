import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EventsByTenant0084 implements MigrationInterface {
  readonly name = 'EventsByTenant9000000000084';

  /** Tenants take turns among the lanes of a subscriber: the due ones of each are found by one look at an index. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP INDEX event_lanes_fresh, event_lanes_failing;
CREATE INDEX event_lanes_fresh ON event_lanes (subscriber, tenant_id, due_at) WHERE failing_since IS NULL;
CREATE INDEX event_lanes_failing ON event_lanes (subscriber, tenant_id, due_at) WHERE failing_since IS NOT NULL;
`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
