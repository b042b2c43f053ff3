import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A server that said that it is full, and until when that is believed. */
@Entity('storage_reports')
export class StorageReportEntity {
  @PrimaryColumn('text')
  readonly place!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly until!: Date;
}
