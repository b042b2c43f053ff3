import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId } from '#libs/common';
import { AccountEntity } from './account.entity.js';

/** What one login began: its refresh tokens, of which one is valid. */
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
}
