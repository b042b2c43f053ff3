import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId } from '#libs/common';
import { AccountEntity } from './account.entity.js';

/** A session, begun by one login: a family of refresh tokens, of which one is valid. */
@Entity('refresh_families')
@Index('refresh_families_account', ['account_id'])
export class RefreshFamilyEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @ForeignKey(() => AccountEntity, { name: 'refresh_families_account_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly account_id!: AccountId;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly revoked_at!: Date | null;

  /** Whether the refresh token is in a cookie of a browser. */
  @Column('boolean', { default: false })
  readonly in_cookie!: boolean;

  /** `User-Agent` of the last use, cut; null for sessions from before this column existed. */
  @Column('text', { nullable: true })
  readonly user_agent!: string | null;

  /** Network of the client's address at the last use. */
  @Column('text', { nullable: true })
  readonly network!: string | null;

  /** Time of the login or of the last refresh. */
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly last_used_at!: Date;
}

/** A refresh token by its hash. */
@Entity('refresh_tokens')
@Index('refresh_tokens_family', ['family_id'])
export class RefreshTokenEntity {
  @PrimaryColumn('text')
  readonly token_hash!: string;

  @ForeignKey(() => RefreshFamilyEntity, { name: 'refresh_tokens_family_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly family_id!: string;

  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly used_at!: Date | null;

  /** Hash of the token that this one replaces; null for the first of a session. */
  @Column('text', { nullable: true })
  readonly predecessor_hash!: string | null;
}
