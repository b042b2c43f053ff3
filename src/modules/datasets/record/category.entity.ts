import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { CategoryId, DatasetId, TenantId } from '#libs/common';
import { DatasetEntity } from './dataset.entity.js';

/** A category of datasets, in the tree of its tenant. */
@Entity('categories')
@Index('categories_name', { synchronize: false })
export class CategoryEntity {
  @PrimaryColumn('uuid')
  readonly id!: CategoryId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => CategoryEntity, { name: 'categories_parent_id_fkey' })
  @Column('uuid', { nullable: true })
  readonly parent_id!: CategoryId | null;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly name_key!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}

/** The assignment of a dataset to a category. */
@Entity('dataset_categories')
@Index('dataset_categories_category', ['category_id'])
export class DatasetCategoryEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'dataset_categories_dataset_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly dataset_id!: DatasetId;

  @ForeignKey(() => CategoryEntity, { name: 'dataset_categories_category_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly category_id!: CategoryId;
}
