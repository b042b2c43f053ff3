import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject, TenantId } from '#libs/common';
import type { PrincipalReference } from '#libs/tenancy';

/** Background work that waits, runs or has ended. */
@Entity('tasks')
@Index('tasks_created', { synchronize: false })
@Index('tasks_delayed', { synchronize: false })
@Index('tasks_ended', { synchronize: false })
@Index('tasks_ingestion_turn', { synchronize: false })
@Index('tasks_lease', { synchronize: false })
@Index('tasks_subject', { synchronize: false })
@Index('tasks_turn', { synchronize: false })
@Check('tasks_status_check', "status IN ('open', 'completed', 'failed', 'cancelled')")
@Check('tasks_lease_check', "status = 'open' OR lease_owner IS NULL")
@Check('tasks_ended_check', "(status = 'open') = (ended_at IS NULL)")
export class TaskEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly kind!: string;

  @Column('text', { nullable: true })
  readonly subject!: string | null;

  @Column('jsonb', { default: {} })
  readonly payload!: JsonObject;

  @Column('jsonb', { nullable: true })
  readonly principal!: PrincipalReference | null;

  @Column('text', { default: 'open' })
  readonly status!: 'open' | 'completed' | 'failed' | 'cancelled';

  @Column('jsonb', { default: {} })
  readonly progress!: JsonObject;

  @Column('text', { nullable: true })
  readonly error_code!: string | null;

  @Column('text', { nullable: true })
  readonly error!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly cancel_requested_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;

  @Column('text', { nullable: true })
  readonly lease_owner!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly lease_expires_at!: Date | null;

  @Column('bigint', { nullable: true })
  readonly fencing_token!: string | null;

  @Column('integer', { default: 0 })
  readonly tries!: number;

  @Column('uuid', { nullable: true })
  readonly group_id!: string | null;

  @Column('bigint', { default: 0 })
  readonly size_bytes!: string;

  @Column('smallint', { default: 0 })
  readonly priority!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly queued_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly not_before!: Date | null;

  @Column('boolean', { default: false })
  readonly alone!: boolean;

  @Column('text', { nullable: true })
  readonly request_id!: string | null;

  /** Why a document waits that a worker gave back; null: for its turn. */
  @Column('text', { nullable: true })
  readonly waiting_reason!: string | null;
}

/** Time of the latest turn of a tenant for each kind of tasks. */
@Entity('task_turns')
@Index('task_turns_served', ['kind', 'served_at'])
export class TaskTurnEntity {
  @PrimaryColumn('text')
  readonly kind!: string;

  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  readonly served_at!: Date;
}
