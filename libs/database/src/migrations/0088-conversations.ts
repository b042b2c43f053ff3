import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

/** Both go with the membership and with the API key: nobody could read them any more. */
const OWNER = (table: string): string => `
  account_id uuid NOT NULL,
  api_key_id uuid CONSTRAINT ${table}_api_key_id_fkey REFERENCES api_keys (id) ON DELETE CASCADE,
  CONSTRAINT ${table}_member_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES memberships (tenant_id, account_id) ON DELETE CASCADE`;

export class Conversations0088 implements MigrationInterface {
  readonly name = 'Conversations9000000000088';

  /**
   * Conversations with their turns, each the property of one principal; and questions that were refused or rated. An answer is made of
   * documents: `conversation_turn_documents` says of which. The deletion of any of them removes the answer in the same transaction; one that
   * shows other chunks makes it unsure, until somebody has looked whether it still shows the same text.
   */
  async up(runner: QueryRunner): Promise<void> {
    await this.addConversations(runner);
    await this.addQuestions(runner);
    await runner.query(`
      CREATE FUNCTION forget_answers_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE conversation_turns SET content = NULL
        WHERE id IN (SELECT s.turn_id FROM conversation_turn_documents s WHERE s.document_id = NEW.id);
        DELETE FROM conversation_turn_documents WHERE document_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER documents_forget_answers AFTER UPDATE OF deleted_at ON documents FOR EACH ROW
      WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION forget_answers_of_document()`);
    await runner.query(`
      CREATE FUNCTION doubt_answers_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE conversation_turns SET unsure = true
        WHERE id IN (SELECT s.turn_id FROM conversation_turn_documents s WHERE s.document_id = NEW.id) AND NOT unsure;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER documents_doubt_answers AFTER UPDATE OF visible_chunk_set_id ON documents FOR EACH ROW
      WHEN (OLD.visible_chunk_set_id IS NOT NULL AND NEW.visible_chunk_set_id IS DISTINCT FROM OLD.visible_chunk_set_id)
      EXECUTE FUNCTION doubt_answers_of_document()`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }

  private async addConversations(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversations (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        title text,
        last_place integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_turn_at timestamptz(3) NOT NULL DEFAULT now(),
        ${OWNER('conversations')}
      )`);
    await runner.query(`CREATE INDEX conversations_listed ON conversations (account_id, last_turn_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX conversations_of_key ON conversations (api_key_id) WHERE api_key_id IS NOT NULL`);
    await runner.query(`CREATE INDEX conversations_expiry ON conversations (tenant_id, last_turn_at)`);
    await runner.query(`
      CREATE TABLE conversation_turns (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        conversation_id uuid NOT NULL CONSTRAINT conversation_turns_conversation_id_fkey
          REFERENCES conversations (id) ON DELETE CASCADE,
        place integer NOT NULL,
        request_id text NOT NULL,
        question text NOT NULL,
        model text NOT NULL,
        dataset_ids uuid[] NOT NULL,
        state text NOT NULL CONSTRAINT conversation_turns_state_check CHECK (state IN ('complete', 'stopped', 'failed')),
        content jsonb,
        unsure boolean NOT NULL DEFAULT false,
        asked_at timestamptz(3) NOT NULL,
        answered_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE UNIQUE INDEX conversation_turns_place ON conversation_turns (conversation_id, place)`);
    await runner.query(`CREATE INDEX conversation_turns_unsure ON conversation_turns (tenant_id, id) WHERE unsure`);
    await runner.query(`CREATE INDEX conversation_turns_request ON conversation_turns (request_id)`);
    await runner.query(`
      CREATE TABLE conversation_turn_documents (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL CONSTRAINT conversation_turn_documents_document_id_fkey
          REFERENCES documents (id) ON DELETE CASCADE,
        turn_id uuid NOT NULL CONSTRAINT conversation_turn_documents_turn_id_fkey
          REFERENCES conversation_turns (id) ON DELETE CASCADE,
        PRIMARY KEY (document_id, turn_id)
      )`);
    await runner.query(`CREATE INDEX conversation_turn_documents_turn ON conversation_turn_documents (turn_id)`);
    for (const table of ['conversations', 'conversation_turns', 'conversation_turn_documents'])
      await runner.query(tenantIsolation(table));
  }

  private async addQuestions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE question_outcomes (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        request_id text NOT NULL,
        conversation_id uuid CONSTRAINT question_outcomes_conversation_id_fkey REFERENCES conversations (id) ON DELETE CASCADE,
        question text NOT NULL,
        question_key text NOT NULL,
        refusal_code text,
        rating text CONSTRAINT question_outcomes_rating_check CHECK (rating IN ('up', 'down')),
        reason text,
        expected text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT question_outcomes_kind_check CHECK (num_nonnulls(refusal_code, rating) = 1),
        ${OWNER('question_outcomes')}
      )`);
    await runner.query(
      `CREATE INDEX question_outcomes_request ON question_outcomes (account_id, request_id, created_at DESC)`,
    );
    await runner.query(
      `CREATE INDEX question_outcomes_of_key ON question_outcomes (api_key_id) WHERE api_key_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX question_outcomes_conversation ON question_outcomes (conversation_id) WHERE conversation_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX question_outcomes_expiry ON question_outcomes (tenant_id, created_at)`);
    await runner.query(`
      CREATE TABLE question_outcome_datasets (
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL,
        outcome_id uuid NOT NULL CONSTRAINT question_outcome_datasets_outcome_id_fkey
          REFERENCES question_outcomes (id) ON DELETE CASCADE,
        PRIMARY KEY (dataset_id, outcome_id)
      )`);
    await runner.query(`CREATE INDEX question_outcome_datasets_outcome ON question_outcome_datasets (outcome_id)`);
    for (const table of ['question_outcomes', 'question_outcome_datasets']) await runner.query(tenantIsolation(table));
  }
}
