import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NamesOfEntities0054 implements MigrationInterface {
  readonly name = 'NamesOfEntities9000000000054';

  /** A question asks which chunks name an entity, by its key or by a form of its name, and what else a chunk names. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX kg_mentions_entity ON kg_mentions (tenant_id, entity_key, document_id, generation, chunk_id)`,
    );
    await runner.query(`CREATE INDEX kg_mentions_form ON kg_mentions (tenant_id, form)`);
    await runner.query(`CREATE INDEX kg_mentions_chunk ON kg_mentions (chunk_id)`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
