import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AnswersInContext0090 implements MigrationInterface {
  readonly name = 'AnswersInContext9000000000090';

  /**
   * Which earlier answers the model was given with a question: what it has read there it may repeat, so an answer lasts no longer than the
   * documents of those. Of answers from before nobody has noted it. They count as given all that was said before, and are removed where
   * something of that is gone already.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE conversation_turns ADD COLUMN context_turn_ids uuid[] NOT NULL DEFAULT '{}'`);
    const tenants = (await runner.query('SELECT id FROM tenants')) as { id: string }[];
    for (const { id } of tenants) {
      // Row security shows one tenant at a time, to the owner of the table too.
      await runner.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
      await runner.query(`
        UPDATE conversation_turns t SET context_turn_ids = e.ids, content = CASE WHEN e.is_whole THEN t.content END
        FROM (SELECT id, array_agg(id) OVER earlier AS ids, count(content) OVER earlier = place - 1 AS is_whole FROM conversation_turns
              WINDOW earlier AS (PARTITION BY conversation_id ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) e
        WHERE t.id = e.id AND e.ids IS NOT NULL`);
    }
    await runner.query(`SELECT set_config('app.tenant_id', '', true)`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION forget_answers_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE conversation_turns SET content = NULL
        WHERE id IN (
          SELECT t.id FROM conversation_turn_documents s JOIN conversation_turns m ON m.id = s.turn_id
            JOIN conversation_turns t ON t.conversation_id = m.conversation_id AND (t.id = m.id OR m.id = ANY (t.context_turn_ids))
          WHERE s.document_id = NEW.id AND t.content IS NOT NULL ORDER BY t.id FOR UPDATE OF t);
        DELETE FROM conversation_turn_documents WHERE document_id = NEW.id;
        RETURN NULL;
      END $$`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
