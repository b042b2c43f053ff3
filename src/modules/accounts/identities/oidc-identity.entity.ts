import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId } from '#libs/common';
import { AccountEntity } from '../record/account.entity.js';

/** A subject of an OpenID Connect issuer and the account that is his. */
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

  /** The address that the issuer has verified; null when it has named none. */
  @Column('text', { nullable: true })
  readonly email!: string | null;

  /** When the token was issued that said so; null for one of earlier versions. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly verified_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
