import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject, TenantId } from '#libs/common';

/** An entry of the audit log. Appended only; each carries the hash of the one before. */
@Entity('audit_log')
@Index('audit_log_time', ['tenant_id', 'created_at'])
@Index('audit_log_event', ['tenant_id', 'event', 'seq'])
@Index('audit_log_subject', ['tenant_id', 'subject', 'seq'])
@Index('audit_log_request', ['tenant_id', 'request_id'])
export class AuditLogEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  @PrimaryColumn('bigint')
  readonly seq!: string;

  @Column('text')
  readonly event!: string;

  @Column('text')
  readonly actor!: string;

  @Column('text', { nullable: true })
  readonly subject!: string | null;

  @Column('text')
  readonly request_id!: string;

  @Column('jsonb', { default: {} })
  readonly details!: JsonObject;

  @Column('text')
  readonly previous_hash!: string;

  @Column('text')
  readonly hash!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly created_at!: Date;
}
