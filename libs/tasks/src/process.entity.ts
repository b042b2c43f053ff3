import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process of the installation, with the time of its latest sign of life. */
@Entity('processes')
export class ProcessEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('text')
  readonly role!: 'all' | 'api' | 'worker';

  @Column('text')
  readonly version!: string;

  @Column('timestamptz', { default: () => 'now()' })
  readonly started_at!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  readonly seen_at!: Date;
}
