import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Logins of one e-mail address from one network, both as hashes, whether an account has the address or not. */
@Entity('login_origins')
@Index('login_origins_attempted', ['attempted_at'])
export class LoginOriginEntity {
  @PrimaryColumn('text')
  readonly email_key!: string;

  @PrimaryColumn('text')
  readonly network_key!: string;

  @Column('integer', { default: 0 })
  readonly failures!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly blocked_until!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly attempted_at!: Date;

  /** Number of logins since `resets_since` that have cleared failures. */
  @Column('integer', { default: 0 })
  readonly resets!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly resets_since!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly logged_in_at!: Date | null;
}
