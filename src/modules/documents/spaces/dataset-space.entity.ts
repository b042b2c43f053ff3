import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { DatasetId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

/** An embedding space beside that of the dataset in which it may have rows in the vector store. `searched`: chunks may lie there that are in no other index. */
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
