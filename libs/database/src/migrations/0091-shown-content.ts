import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ShownContent0091 implements MigrationInterface {
  readonly name = 'ShownContent9000000000091';

  /**
   * What readers may see of documents and chunks: the two places that say what "shown" means. `status` is not asked, so that a document
   * keeps what it shows while it is ingested again. With the rights and the row-level security of the role that asks.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW shown_documents WITH (security_invoker = true) AS
      SELECT d.id, d.tenant_id, d.dataset_id, d.archive_id, d.name, d.path, d.media_type, d.language, d.tags, d.metadata, d.created_at,
        d.visible_generation AS generation, d.visible_chunk_set_id AS chunk_set_id,
        CASE WHEN d.visible_revision_id IS NULL THEN d.revision_id ELSE d.visible_revision_id END AS text_revision_id,
        CASE WHEN d.ingested_policy_version IS NULL THEN d.policy_version ELSE d.ingested_policy_version END AS policy_version,
        d.metadata_seq, d.stored_metadata_seq
      FROM documents d
      WHERE d.visible_generation IS NOT NULL AND d.visible_chunk_set_id IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`);
    await runner.query(`
      CREATE VIEW shown_chunks WITH (security_invoker = true) AS
      SELECT c.id, c.tenant_id, c.document_id, d.dataset_id, d.generation, c.chunk_set_id, c.ordinal, c.text_start, c.text_end, c.body,
        c.token_count, c.heading_path, c.page, c.page_end, c.sheet, c.row_number, c.kind, c.parent_start, c.parent_end, c.context
      FROM shown_documents d JOIN chunks c ON c.document_id = d.id AND c.chunk_set_id = d.chunk_set_id`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
