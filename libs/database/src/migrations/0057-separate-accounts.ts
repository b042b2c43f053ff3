import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * E-mail addresses are not unique any more: an account that an invitation made belongs to one tenant alone, and other tenants make
 * others of the same address. `vouched`: the installation's administrator has given the address, in the settings or with a tenant; of
 * those there is one of an address. `joined_to`: the account of a subject of an issuer who has proven the address. `password_used`: somebody has
 * logged in with the present password. Logins begin anew a bounded number of times a day (`resets`).
 */
const STATEMENTS = [
  `ALTER TABLE accounts
     ADD COLUMN vouched boolean NOT NULL DEFAULT false,
     ADD COLUMN password_used boolean NOT NULL DEFAULT true,
     ADD COLUMN joined_to uuid REFERENCES accounts (id) ON DELETE SET NULL`,
  `DROP INDEX accounts_email`,
  `CREATE INDEX accounts_email ON accounts (lower(email))`,
  `CREATE UNIQUE INDEX accounts_vouched_email ON accounts (lower(email)) WHERE vouched`,
  `CREATE INDEX accounts_joined_to ON accounts (joined_to) WHERE joined_to IS NOT NULL`,
  // Where the role that migrates sees no rows of tenants, only the first administrator is vouched for.
  `UPDATE accounts SET vouched = true WHERE platform_admin OR id IN (
     SELECT (details->>'admin_account_id')::uuid FROM audit_log
     WHERE event = 'tenant.created' AND details->>'account_made' = 'true')`,
  `UPDATE accounts a SET email = i.email FROM oidc_identities i
   WHERE i.account_id = a.id AND i.email IS NOT NULL AND a.email LIKE '%@oidc.invalid'`,
  `ALTER TABLE oidc_identities ADD COLUMN verified_at timestamptz(3)`,
  `ALTER TABLE login_origins
     ADD COLUMN resets integer NOT NULL DEFAULT 0,
     ADD COLUMN resets_since timestamptz(3) NOT NULL DEFAULT now()`,
];

export class SeparateAccounts0057 implements MigrationInterface {
  readonly name = 'SeparateAccounts9000000000057';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
