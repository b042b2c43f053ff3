import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';
import type { DatasetEmbedding } from '../../datasets/index.js';
import type { ReembeddingParity, ReembeddingStatus } from './reembedding.dto.js';

/** The move of a dataset from one embedding space to another. */
@Entity('reembeddings')
@Index('reembeddings_listed', { synchronize: false })
@Index('reembeddings_open', { synchronize: false })
@Check('reembeddings_status_check', "status IN ('pending', 'running', 'completed', 'failed', 'rolled_back')")
export class ReembeddingEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'reembeddings_dataset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text')
  readonly status!: ReembeddingStatus;

  @Column('text')
  readonly from_space!: string;

  @Column('jsonb')
  readonly from_embedding!: DatasetEmbedding;

  @Column('text')
  readonly to_space!: string;

  @Column('jsonb')
  readonly to_embedding!: DatasetEmbedding;

  @Column('integer', { default: 0 })
  readonly documents!: number;

  @Column('integer', { default: 0 })
  readonly documents_done!: number;

  @Column('integer', { default: 0 })
  readonly chunks_embedded!: number;

  @Column('jsonb', { nullable: true })
  readonly parity!: ReembeddingParity | null;

  @Column('text', { nullable: true })
  readonly error!: string | null;

  @Column('uuid', { nullable: true })
  readonly requested_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly switched_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly former_dropped_at!: Date | null;
}
