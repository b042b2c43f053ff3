import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An upload in parts that a storage holds until it is completed or given up. */
@Entity('unfinished_uploads')
export class UnfinishedUploadEntity {
  /** Address and bucket. */
  @PrimaryColumn('text')
  readonly place!: string;

  @PrimaryColumn('text')
  readonly upload_id!: string;

  @Column('text')
  readonly object_key!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly began_at!: Date;
}
