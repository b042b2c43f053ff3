import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { AccountId, TenantId } from '#libs/common';
import { TenantEntity } from './tenant.entity.js';
import { AccountEntity } from './account.entity.js';
import type { Role } from '#libs/tenancy';

/** An open invitation. Accepted, declined and withdrawn invitations are removed. */
@Entity('invitations')
@Index('invitations_address', { synchronize: false })
@Index('invitations_email', { synchronize: false })
@Index('invitations_first_login', { synchronize: false })
@Unique('invitations_secret_hash_key', ['secret_hash'])
@Check('invitations_role_check', "role IN ('viewer', 'editor', 'auditor', 'admin', 'owner')")
export class InvitationEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @ForeignKey(() => TenantEntity, { name: 'invitations_tenant_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly email!: string;

  @Column('text')
  readonly role!: Role;

  @Column('text')
  readonly secret_hash!: string;

  @ForeignKey(() => AccountEntity, { name: 'invitations_first_login_of_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  readonly first_login_of!: AccountId | null;

  @Column('uuid')
  readonly invited_by!: AccountId;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;
}
