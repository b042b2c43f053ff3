import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A call of a remote model that waits for its turn or has it. */
@Entity('model_turns')
@Index('model_turns_model', ['model'])
export class ModelTurnEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  /** `provider/model`. */
  @Column('text')
  readonly model!: string;

  /** Who takes part in the sharing: a tenant, or the nil UUID for calls that no one pays for. */
  @Column('uuid')
  readonly party!: string;

  @Column('boolean')
  readonly waits_for_person!: boolean;

  @Column('timestamp with time zone', { precision: 3, default: () => 'clock_timestamp()' })
  readonly asked_at!: Date;

  /** Null while it waits. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly granted_at!: Date | null;

  /** Of a process that does not renew it, it is free again then. */
  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;
}
