import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { DatasetId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

/**
 * Another embedding space in which a dataset may have rows in the vector store, besides its own. `searched`: it may hold chunks that are in
 * no other space.
 */
@Entity('dataset_spaces')
export class DatasetSpaceEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'dataset_spaces_dataset_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly dataset_id!: DatasetId;

  @PrimaryColumn('text')
  readonly space!: string;

  @Column('boolean')
  readonly searched!: boolean;
}
