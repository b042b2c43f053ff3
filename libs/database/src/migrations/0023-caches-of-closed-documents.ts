import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CachesOfClosedDocuments0023 implements MigrationInterface {
  readonly name = 'CachesOfClosedDocuments9000000000023';

  /**
   * What is kept of the texts of a document goes in the transaction that deletes it or puts it into quarantine, whoever writes that. What is
   * kept under way is left out: those who keep it lock the document and look at both columns.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION forget_closed_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM embedding_cache WHERE document_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER documents_forget_closed AFTER UPDATE OF deleted_at, quarantined_at ON documents FOR EACH ROW
      WHEN ((NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) OR (NEW.quarantined_at IS NOT NULL AND OLD.quarantined_at IS NULL))
      EXECUTE FUNCTION forget_closed_document()`);
    await runner.query(`
      DELETE FROM embedding_cache e USING documents d
      WHERE d.id = e.document_id AND (d.deleted_at IS NOT NULL OR d.quarantined_at IS NOT NULL)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
