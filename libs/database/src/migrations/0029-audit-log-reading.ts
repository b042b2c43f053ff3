import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit log is asked by. */
export class AuditLogReading0029 implements MigrationInterface {
  readonly name = 'AuditLogReading9000000000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_log_time ON audit_log (tenant_id, created_at);
      CREATE INDEX audit_log_event ON audit_log (tenant_id, event, seq);
      CREATE INDEX audit_log_subject ON audit_log (tenant_id, subject, seq);
      CREATE INDEX audit_log_request ON audit_log (tenant_id, request_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
