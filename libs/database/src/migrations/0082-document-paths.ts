import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DocumentPaths0082 implements MigrationInterface {
  readonly name = 'DocumentPaths9000000000082';

  /**
   * `documents.path`: where a document lies in the folder that it comes from. `documents.same_name_id`: the other document that had its
   * name when it was uploaded. `datasets.on_same_name`: what becomes of a file whose name the dataset holds with other content. Whatever
   * is there has no path and keeps both.
   *
   * Documents are looked for by `name_hash`, since a path may be longer than an entry of an index; it is a column, because row-level
   * security lets no index of an expression be used whose function is not leakproof. A trigger writes it, so that processes of the
   * version before this one do too.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE documents ADD COLUMN path text, ADD COLUMN same_name_id uuid, ADD COLUMN name_hash bigint',
    );
    await runner.query(
      `ALTER TABLE datasets ADD COLUMN on_same_name text NOT NULL DEFAULT 'keep_both',
         ADD CONSTRAINT datasets_on_same_name_check CHECK (on_same_name IN ('keep_both', 'new_revision'))`,
    );
    await runner.query(`
      CREATE FUNCTION hash_document_name() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
      BEGIN
        NEW.name_hash := hashtextextended(coalesce(NEW.path, NEW.name), 0);
        RETURN NEW;
      END $$`);
    const tenants = (await runner.query(`SELECT id FROM tenants`)) as readonly { readonly id: string }[];
    for (const { id } of tenants) {
      await runner.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
      await runner.query(`UPDATE documents SET name_hash = hashtextextended(name, 0) WHERE deleted_at IS NULL`);
    }
    await runner.query(`SELECT set_config('app.tenant_id', '', true)`);
    await runner.query(`CREATE TRIGGER documents_hash_name BEFORE INSERT OR UPDATE OF name, path ON documents
      FOR EACH ROW EXECUTE FUNCTION hash_document_name()`);
    await runner.query(
      `CREATE INDEX documents_same_name ON documents (dataset_id, name_hash) WHERE deleted_at IS NULL`,
    );
    await runner.query(`CREATE INDEX documents_named_after ON documents (same_name_id) WHERE same_name_id IS NOT NULL`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
