import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class AnswersOfDocuments0092 implements MigrationInterface {
  readonly name = 'AnswersOfDocuments9000000000092';

  /**
   * Which kept answers describe a document, so that its purge finds them without reading all that are kept. A table and no index of
   * `response -> 'documents'`: row-level security lets no index be used by an operator that is not leakproof. A trigger fills it, so that
   * processes of the version before this one do too: by the rights of the owner, because that one's role has none on the table until the
   * migrations have ended.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_documents (
        tenant_id uuid NOT NULL,
        principal text NOT NULL,
        route text NOT NULL,
        key text NOT NULL,
        document_id uuid NOT NULL,
        PRIMARY KEY (tenant_id, principal, route, key, document_id),
        CONSTRAINT idempotency_documents_key_fkey FOREIGN KEY (tenant_id, principal, route, key)
          REFERENCES idempotency_keys (tenant_id, principal, route, key) ON DELETE CASCADE
      )`);
    await runner.query(tenantIsolation('idempotency_documents'));
    await runner.query(`CREATE INDEX idempotency_documents_document ON idempotency_documents (document_id)`);
    await runner.query(`
      CREATE FUNCTION note_documents_of_answer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          DELETE FROM idempotency_documents
          WHERE tenant_id = NEW.tenant_id AND principal = NEW.principal AND route = NEW.route AND key = NEW.key;
        END IF;
        IF NEW.response ? 'documents' THEN
          INSERT INTO idempotency_documents (tenant_id, principal, route, key, document_id)
          SELECT DISTINCT NEW.tenant_id, NEW.principal, NEW.route, NEW.key, named.id::uuid
          FROM jsonb_array_elements_text(NEW.response -> 'documents') AS named (id);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER idempotency_keys_documents AFTER INSERT OR UPDATE OF response ON idempotency_keys
      FOR EACH ROW EXECUTE FUNCTION note_documents_of_answer()`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
