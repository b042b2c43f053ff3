import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantIsolation } from '../tenant-isolation.js';

/** Where sensitive content was found, never the content; and which original files only `governance:read` may read. */
export class Findings0027 implements MigrationInterface {
  readonly name = 'Findings9000000000027';

  /**
   * `generation`: the attempt that found it; null for a rescan, which changes nothing. `place`: the canonical text, or what stands
   * beside it, whose offsets count from its own beginning. `accepted_at`: a person released the document with it.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE governance_findings (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        revision_id uuid NOT NULL,
        revision integer NOT NULL,
        generation bigint,
        rescan_id uuid,
        place text NOT NULL CONSTRAINT governance_findings_place_check
          CHECK (place IN ('text', 'name', 'title', 'metadata', 'tags')),
        entity_type text NOT NULL,
        rule text NOT NULL,
        span_start bigint NOT NULL,
        span_end bigint NOT NULL,
        page integer,
        score real NOT NULL,
        severity text NOT NULL,
        action text NOT NULL CONSTRAINT governance_findings_action_check
          CHECK (action IN ('allow', 'mask', 'quarantine', 'reject')),
        accepted_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(
      `CREATE INDEX governance_findings_document ON governance_findings (document_id, revision_id, rescan_id)`,
    );
    await runner.query(
      `CREATE INDEX governance_findings_rescan ON governance_findings (rescan_id) WHERE rescan_id IS NOT NULL`,
    );
    await runner.query(tenantIsolation('governance_findings'));
    await runner.query(`
      ALTER TABLE document_revisions ADD COLUMN content_guard text
        CONSTRAINT document_revisions_content_guard_check CHECK (content_guard IN ('unread', 'masked', 'rejected'))`);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
