import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { JsonObject, TenantId } from '#libs/common';

/** The columns of an event, in every table in which it waits. */
abstract class EventColumns {
  @Column('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly type!: string;

  @Column('integer')
  readonly version!: number;

  @Column('jsonb')
  readonly payload!: JsonObject;

  @Column('text')
  readonly request_id!: string;
}

/** An event that was published and not handed out yet. */
@Entity('domain_events')
export class DomainEventEntity extends EventColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly seq!: string;

  @Column('uuid')
  readonly subject!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'clock_timestamp()' })
  readonly occurred_at!: Date;
}

/** A subscription to a kind of event; the processes that have it announce it regularly. */
@Entity('event_subscriptions')
export class EventSubscriptionEntity {
  @PrimaryColumn('text')
  readonly subscriber!: string;

  @PrimaryColumn('text')
  readonly type!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly seen_at!: Date;
}

/** A pending delivery to a subscriber. */
@Entity('event_deliveries')
export class EventDeliveryEntity extends EventColumns {
  @PrimaryColumn('text')
  readonly subscriber!: string;

  @PrimaryColumn('uuid')
  readonly subject!: string;

  @PrimaryColumn('bigint')
  readonly seq!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly occurred_at!: Date;
}

/** The deliveries of one subscriber about one subject: due at a time, or in work under a token until then. */
@Entity('event_lanes')
@Index('event_lanes_failing', { synchronize: false })
@Index('event_lanes_fresh', { synchronize: false })
export class EventLaneEntity {
  @PrimaryColumn('text')
  readonly subscriber!: string;

  @PrimaryColumn('uuid')
  readonly subject!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('timestamp with time zone', { precision: 3 })
  readonly due_at!: Date;

  @Column('bigint', { nullable: true })
  readonly token!: string | null;

  /** How often its first delivery has failed. */
  @Column('integer', { default: 0 })
  readonly failures!: number;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly failing_since!: Date | null;
}

/** A parked event, which a subscriber failed to process; it waits to be sent again by hand. */
@Entity('parked_events')
@Index('parked_events_age', ['parked_at'])
export class ParkedEventEntity extends EventColumns {
  @PrimaryColumn('text')
  readonly subscriber!: string;

  @PrimaryColumn('bigint')
  readonly seq!: string;

  @Column('uuid')
  readonly subject!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly occurred_at!: Date;

  @Column('integer')
  readonly failures!: number;

  /** Code of the failure, or name of the error. */
  @Column('text')
  readonly reason!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly parked_at!: Date;
}
