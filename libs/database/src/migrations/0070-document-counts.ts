import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that are not deleted, by status, of the tenant of the transaction. */
const COUNT_OF_TENANT = `INSERT INTO document_counts (status, documents)
  SELECT status, count(*) FROM documents WHERE deleted_at IS NULL GROUP BY status`;

export class DocumentCounts0070 implements MigrationInterface {
  readonly name = 'DocumentCounts9000000000070';

  /**
   * How many documents of all tenants have which status: the sum of rows that are only appended, so that no transaction waits for another.
   * They name no tenant and no document. A trigger writes them, since every statement that changes a status must count; as the owner of
   * the table, because the role of the service may write nothing but rows of its tenant.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE document_counts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text NOT NULL, documents bigint NOT NULL)`);
    await runner.query(`
      CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN
          INSERT INTO document_counts (status, documents) VALUES (OLD.status, -1);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN
          INSERT INTO document_counts (status, documents) VALUES (NEW.status, 1);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER documents_count_made AFTER INSERT OR DELETE ON documents
      FOR EACH ROW EXECUTE FUNCTION count_documents()`);
    await runner.query(`CREATE TRIGGER documents_count_changed AFTER UPDATE OF status, deleted_at ON documents FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_documents()`);
    const tenants = (await runner.query(`SELECT id FROM tenants`)) as readonly { readonly id: string }[];
    for (const { id } of tenants) {
      await runner.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
      await runner.query(COUNT_OF_TENANT);
    }
    await runner.query(`SELECT set_config('app.tenant_id', '', true)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
