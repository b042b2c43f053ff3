import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DatasetId, DocumentId, TenantId } from '#libs/common';
import type { CellValue, ColumnProfile, ColumnType, Repair } from '#libs/tabular';
import { DatasetEntity } from '../../datasets/index.js';
import { DocumentEntity } from '../../documents/index.js';

/** A column of a table of a document. */
export interface DocumentColumn {
  readonly name: string;
  readonly label: string;
  readonly type: ColumnType;
  readonly unit: string | null;
  readonly nullable: boolean;
}

/** A table as one generation of a document has it. */
@Entity('document_tables')
@Index('document_tables_dataset', ['dataset_id', 'name'])
@Check('document_tables_fidelity_check', "fidelity IN ('exact', 'guessed')")
export class DocumentTableEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'document_tables_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @PrimaryColumn('bigint')
  readonly generation!: string;

  /** Place among the tables of the document, from 1. */
  @PrimaryColumn('integer')
  readonly ordinal!: number;

  @ForeignKey(() => DatasetEntity, { name: 'document_tables_dataset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly title!: string;

  @Column('text', { nullable: true })
  readonly sheet!: string | null;

  @Column('integer', { nullable: true })
  readonly page!: number | null;

  @Column('integer')
  readonly row_count!: number;

  /** Of them, rows that sum up others. */
  @Column('integer')
  readonly total_rows!: number;

  /** Name of the table that this one makes together with others of the same columns. */
  @Column('text')
  readonly combined_name!: string;

  @Column('jsonb')
  readonly columns!: DocumentColumn[];

  /** One for each column. */
  @Column('jsonb')
  readonly profiles!: ColumnProfile[];

  /** The first rows. */
  @Column('jsonb')
  readonly samples!: CellValue[][];

  @Column('jsonb')
  readonly repaired!: Repair[];

  @Column('text')
  readonly fidelity!: 'exact' | 'guessed';

  @Column('text')
  readonly object_key!: string;

  @Column('bigint')
  readonly size_bytes!: string;
}
