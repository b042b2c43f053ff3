import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A change of the number of documents with one status, over all tenants. Written by triggers; the sum over the rows is the number. */
@Entity('document_counts')
export class DocumentCountEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id!: string;

  @Column('text')
  readonly status!: string;

  @Column('bigint')
  readonly documents!: string;
}
