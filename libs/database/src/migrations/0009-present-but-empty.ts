import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Filters see lists and objects as present even when they are empty, which the rows of a vector store do not say yet. Documents
 * that have any, or null, in their metadata count as unknown to the store until it has been told; searches then judge them by the
 * database.
 */
const DISTRUST = `
DO $$
DECLARE
  tenant uuid;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    WITH distrusted AS (
      UPDATE documents SET stored_metadata_seq = -1
      WHERE visible_generation IS NOT NULL AND deleted_at IS NULL
        AND metadata @? 'strict $.*.** ? (@.type() == "object" || @.type() == "null" || (@.type() == "array" && @.size() == 0))'
      RETURNING id, dataset_id
    )
    INSERT INTO store_intents (id, tenant_id, kind, subject, payload)
    SELECT gen_random_uuid(), tenant, 'update_metadata', id::text, jsonb_build_object('documentId', id, 'datasetId', dataset_id)
    FROM distrusted;
  END LOOP;
  PERFORM set_config('app.tenant_id', '', true);
END
$$;
`;

export class PresentButEmpty0009 implements MigrationInterface {
  readonly name = 'PresentButEmpty0009000000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DISTRUST);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
