import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId } from '#libs/common';
import { AccountEntity } from '../record/account.entity.js';

/** A subject of an OpenID Connect issuer with its account. */
@Entity('oidc_identities')
@Index('oidc_identities_account', ['account_id'])
export class OidcIdentityEntity {
  @PrimaryColumn('text')
  readonly issuer!: string;

  @PrimaryColumn('text')
  readonly subject!: string;

  @ForeignKey(() => AccountEntity, { name: 'oidc_identities_account_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly account_id!: AccountId;

  /** The address that the issuer has verified; null: none. */
  @Column('text', { nullable: true })
  readonly email!: string | null;

  /** Time at which the token with this address was issued; null for rows of earlier versions. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly verified_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
