import type { MigrationInterface, QueryRunner } from 'typeorm';
import { NOWHERE_TENANT } from '#libs/common';

/**
 * Owners whose accounts `POST /tenants` has made, as the audit logs name them, are vouched for. Row security shows the logs one
 * tenant at a time, to the owner of the table too.
 */
export class VouchedOwners0058 implements MigrationInterface {
  readonly name = 'VouchedOwners9000000000058';

  async up(runner: QueryRunner): Promise<void> {
    const tenants = (await runner.query('SELECT id FROM tenants')) as { id: string }[];
    for (const id of [...tenants.map((tenant) => tenant.id), NOWHERE_TENANT]) {
      await runner.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
      await runner.query(`UPDATE accounts a SET vouched = true WHERE NOT a.vouched AND a.id IN (
          SELECT (details->>'admin_account_id')::uuid FROM audit_log
          WHERE event = 'tenant.created' AND details->>'account_made' = 'true')
        AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.vouched AND lower(o.email) = lower(a.email))`);
    }
    await runner.query(`SELECT set_config('app.tenant_id', '', true)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
