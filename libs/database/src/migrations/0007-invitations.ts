import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `invitations`: open ones only; one that is accepted, declined or withdrawn is removed. Read by its secret before a tenant is
 * known, so a system table. `first_login_of`: the account that was made with the invitation and has not logged in yet; its first
 * login accepts it.
 */
const TABLES = `
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'auditor', 'admin', 'owner')),
  secret_hash text NOT NULL UNIQUE,
  first_login_of uuid REFERENCES accounts (id) ON DELETE SET NULL,
  invited_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX invitations_email ON invitations (tenant_id, lower(email));
CREATE INDEX invitations_address ON invitations (lower(email));
CREATE INDEX invitations_first_login ON invitations (first_login_of) WHERE first_login_of IS NOT NULL;
`;

export class Invitations0007 implements MigrationInterface {
  readonly name = 'Invitations0007000000000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
