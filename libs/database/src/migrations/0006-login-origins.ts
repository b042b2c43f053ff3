import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `login_origins`: failed and last successful logins of one e-mail address from one network, both as hashes, whether an account has
 * the address or not. `token_version`: access tokens of another version are no longer accepted; tokens that name none have 0.
 */
const TABLES = `
CREATE TABLE login_origins (
  email_key text NOT NULL,
  network_key text NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  blocked_until timestamptz(3) NOT NULL DEFAULT now(),
  attempted_at timestamptz(3) NOT NULL DEFAULT now(),
  logged_in_at timestamptz(3),
  PRIMARY KEY (email_key, network_key)
);
CREATE INDEX login_origins_attempted ON login_origins (attempted_at);
ALTER TABLE accounts ADD COLUMN token_version integer NOT NULL DEFAULT 0;
`;

export class LoginOrigins0006 implements MigrationInterface {
  readonly name = 'LoginOrigins0006000000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
