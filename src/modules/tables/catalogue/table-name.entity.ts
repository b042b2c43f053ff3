import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DatasetId, DocumentId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';
import { DocumentEntity } from '../../documents/index.js';

/** The permanent name of a table: the nth table of a sheet of a document keeps it over revisions. */
@Entity('table_names')
@Index('table_names_name', ['dataset_id', 'name'], { unique: true })
export class TableNameEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'table_names_dataset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @ForeignKey(() => DocumentEntity, { name: 'table_names_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  /** Empty where the document has no sheets. */
  @PrimaryColumn('text')
  readonly sheet!: string;

  @PrimaryColumn('integer')
  readonly nth!: number;

  @Column('text')
  readonly name!: string;
}
