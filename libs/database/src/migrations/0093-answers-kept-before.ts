import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every field of an answer but those that hold what a caller wrote. */
const OWN_WORDS = `(k.response #- '{body,metadata}' #- '{body,tags}' #- '{body,warnings}')::text`;
/** Answers of bulk operations name documents and say nothing of them. */
const IS_BULK = `(jsonb_typeof(k.response #> '{body,accepted}') = 'array' AND jsonb_typeof(k.response #> '{body,rejected}') = 'array')`;

export class AnswersKeptBefore0093 implements MigrationInterface {
  readonly name = 'AnswersKeptBefore9000000000093';

  /**
   * The documents of answers that were kept before there was `idempotency_documents`; its trigger notes the later ones already, so that no table
   * is locked, and rows only against their removal. Answers that do not name their documents yet are searched for ids of documents.
   */
  async up(runner: QueryRunner): Promise<void> {
    const tenants = (await runner.query(`SELECT id FROM tenants`)) as readonly { readonly id: string }[];
    for (const { id } of tenants) {
      await runner.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
      await runner.query(`
        WITH k AS MATERIALIZED (SELECT * FROM idempotency_keys WHERE response ? 'documents' AND expires_at > now() FOR KEY SHARE)
        INSERT INTO idempotency_documents (tenant_id, principal, route, key, document_id)
        SELECT DISTINCT k.tenant_id, k.principal, k.route, k.key, named.id::uuid
        FROM k CROSS JOIN LATERAL jsonb_array_elements_text(k.response -> 'documents') AS named (id)
        ON CONFLICT DO NOTHING`);
      await runner.query(`
        WITH k AS MATERIALIZED (SELECT * FROM idempotency_keys WHERE NOT response ? 'documents' AND expires_at > now() FOR KEY SHARE)
        INSERT INTO idempotency_documents (tenant_id, principal, route, key, document_id)
        SELECT DISTINCT k.tenant_id, k.principal, k.route, k.key, d.id
        FROM k
        CROSS JOIN LATERAL regexp_matches(${OWN_WORDS}, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') AS named (id)
        JOIN documents d ON d.id = named.id[1]::uuid
        WHERE ${IS_BULK} IS NOT TRUE
        ON CONFLICT DO NOTHING`);
    }
    await runner.query(`SELECT set_config('app.tenant_id', '', true)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
