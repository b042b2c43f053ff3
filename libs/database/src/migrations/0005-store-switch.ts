import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `store_placement`: which vector store answers, and which other one gets every write too while the installation moves. At most
 * one row; without it the store of the settings answers. Attempts from `first_token` on have written into both.
 */
const TABLES = `
CREATE TABLE store_placement (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  active text NOT NULL,
  shadow text CHECK (shadow <> active),
  first_token bigint,
  switched_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
`;

export class StoreSwitch0005 implements MigrationInterface {
  readonly name = 'StoreSwitch0005000000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
