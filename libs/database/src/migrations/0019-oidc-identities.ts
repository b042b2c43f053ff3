import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose account a subject of an OpenID Connect issuer is. Read before a tenant is known. */
export class OidcIdentities0019 implements MigrationInterface {
  readonly name = 'OidcIdentities9000000000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oidc_identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        email text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (issuer, subject)
      )`);
    await runner.query(`CREATE INDEX oidc_identities_account ON oidc_identities (account_id)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
