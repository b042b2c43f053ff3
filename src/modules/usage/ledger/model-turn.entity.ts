import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A call of a remote model that waits for a place or has one. */
@Entity('model_turns')
@Index('model_turns_model', ['model'])
export class ModelTurnEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  /** `provider/model`. */
  @Column('text')
  readonly model!: string;

  /** The party that shares the places: a tenant, or the nil UUID for calls of no tenant. */
  @Column('uuid')
  readonly party!: string;

  @Column('boolean')
  readonly waits_for_person!: boolean;

  @Column('timestamp with time zone', { precision: 3, default: () => 'clock_timestamp()' })
  readonly asked_at!: Date;

  /** Time at which it got a place; null while it waits. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly granted_at!: Date | null;

  /** Time at which the place becomes free if the process does not renew it. */
  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;
}
