import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/common';

/** A job that was promised inside a transaction and has not been handed to the queue yet. */
@Entity('outbox')
@Index('outbox_created', ['created_at'])
export class OutboxEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('text')
  readonly queue!: string;

  @Column('jsonb')
  readonly payload!: JsonObject;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
