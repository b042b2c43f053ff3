import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DatasetId, DocumentId, JsonObject, TenantId } from '#libs/common';

/** A document that waits for its ingestion or is in it. */
@Entity('ingestion_tasks')
@Index('ingestion_tasks_delayed', { synchronize: false })
@Index('ingestion_tasks_lease', ['lease_expires_at'])
@Index('ingestion_tasks_turn', { synchronize: false })
export class IngestionTaskEntity {
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('integer')
  readonly attempt!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly enqueued_at!: Date;

  @Column('text', { nullable: true })
  readonly lease_owner!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly lease_expires_at!: Date | null;

  @Column('bigint', { nullable: true })
  readonly fencing_token!: string | null;

  @Column('integer', { default: 0 })
  readonly tries!: number;

  @Column('uuid', { nullable: true })
  readonly dataset_id!: DatasetId | null;

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
}

/** When a tenant had its turn in ingestion last. */
@Entity('ingestion_turns')
export class IngestionTurnEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  readonly served_at!: Date;
}

/** Background work on a dataset or the installation. */
@Entity('maintenance_tasks')
@Index('maintenance_tasks_open', { synchronize: false })
@Check('maintenance_tasks_status_check', "status IN ('pending', 'running', 'completed', 'failed')")
export class MaintenanceTaskEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly kind!: string;

  @Column('jsonb')
  readonly payload!: JsonObject;

  @Column('text', { default: 'pending' })
  readonly status!: 'pending' | 'running' | 'completed' | 'failed';

  @Column('jsonb', { default: {} })
  readonly progress!: JsonObject;

  @Column('text', { nullable: true })
  readonly error!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;
}
