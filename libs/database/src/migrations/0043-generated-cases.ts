import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

export class GeneratedCases0043 implements MigrationInterface {
  readonly name = 'GeneratedCases9000000000043';

  /**
   * Cases made of documents lie in rows that name their document, and go in the transaction that deletes it or puts it into quarantine,
   * whoever writes that. The lists of cases in sets and evaluations hold null in their places. What a model judged of answers from documents is
   * kept as numbers that name those documents, and goes with any of them.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE evaluation_case_sets ADD COLUMN generation jsonb, ADD COLUMN task_id uuid`);
    await runner.query(`
      CREATE TABLE evaluation_case_texts (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        case_set_id uuid REFERENCES evaluation_case_sets (id) ON DELETE CASCADE,
        version integer,
        job_id uuid REFERENCES evaluation_jobs (id) ON DELETE CASCADE,
        ordinal integer NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        approved boolean NOT NULL,
        content jsonb NOT NULL,
        CHECK (num_nonnulls(case_set_id, job_id) = 1)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX evaluation_case_texts_of_set ON evaluation_case_texts (case_set_id, version, ordinal) WHERE case_set_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX evaluation_case_texts_of_job ON evaluation_case_texts (job_id, ordinal) WHERE job_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX evaluation_case_texts_document ON evaluation_case_texts (document_id)`);
    await runner.query(tenantIsolation('evaluation_case_texts'));
    await runner.query(`
      CREATE TABLE evaluation_judgements (
        tenant_id uuid NOT NULL,
        key bytea NOT NULL,
        value double precision NOT NULL,
        document_ids uuid[] NOT NULL,
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, key)
      )`);
    await runner.query(`CREATE INDEX evaluation_judgements_used ON evaluation_judgements (tenant_id, used_at)`);
    await runner.query(
      `CREATE INDEX evaluation_judgements_documents ON evaluation_judgements USING gin (document_ids)`,
    );
    await runner.query(tenantIsolation('evaluation_judgements'));
    await runner.query(`
      CREATE FUNCTION forget_evaluated_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM evaluation_case_texts WHERE document_id = NEW.id;
        DELETE FROM evaluation_judgements WHERE document_ids @> ARRAY[NEW.id];
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER documents_forget_evaluated AFTER UPDATE OF deleted_at, quarantined_at ON documents FOR EACH ROW
      WHEN ((NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) OR (NEW.quarantined_at IS NOT NULL AND OLD.quarantined_at IS NULL))
      EXECUTE FUNCTION forget_evaluated_document()`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
