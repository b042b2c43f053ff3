import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, TenantId } from '#libs/common';
import type { Role } from '#libs/tenancy';
import { AccountEntity } from './account.entity.js';
import { TenantEntity } from './tenant.entity.js';

/** The membership of an account in a tenant, with its role. */
@Entity('memberships')
@Index('memberships_account', ['account_id'])
@Check('memberships_role_check', "role IN ('viewer', 'editor', 'auditor', 'admin', 'owner')")
export class MembershipEntity {
  @ForeignKey(() => TenantEntity, { name: 'memberships_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => AccountEntity, { name: 'memberships_account_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly account_id!: AccountId;

  @Column('text')
  readonly role!: Role;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
