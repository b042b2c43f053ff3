import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, TenantId } from '#libs/common';
import { TenantEntity } from './tenant.entity.js';
import type { Role } from '#libs/tenancy';
import type { TenantBudgets } from './tenant.entity.js';

/** A tenant with the role that an account has in it; null when it has none. */
export interface TenantRow {
  readonly id: TenantId;
  readonly name: string;
  readonly role: Role | null;
  readonly budgets: TenantBudgets | null;
  readonly release_needs_two: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A row of `memberships` with its account. */
export interface MemberRow {
  readonly account_id: AccountId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: Date;
}

/** An account. */
@Entity('accounts')
@Index('accounts_email', { synchronize: false })
@Index('accounts_vouched_email', { synchronize: false })
@Index('accounts_joined_to', { synchronize: false })
@Check('accounts_state_check', "state IN ('active', 'disabled')")
export class AccountEntity {
  @PrimaryColumn('uuid')
  readonly id!: AccountId;

  /** Several accounts may have the same address, but only one of those with `vouched`. */
  @Column('text')
  readonly email!: string;

  @Column('text')
  readonly name!: string;

  /** Null for an account that cannot log in with a password. */
  @Column('text', { nullable: true })
  readonly password_hash!: string | null;

  @Column('text', { default: 'active' })
  readonly state!: 'active' | 'disabled';

  @ForeignKey(() => TenantEntity, { name: 'accounts_default_tenant_id_fkey' })
  @Column('uuid', { nullable: true })
  readonly default_tenant_id!: TenantId | null;

  @Column('boolean', { default: false })
  readonly platform_admin!: boolean;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('integer', { default: 0 })
  readonly token_version!: number;

  /** Whether the administrator of the installation gave the address, in the settings or with a tenant. */
  @Column('boolean', { default: false })
  readonly vouched!: boolean;

  /** Whether there was a login with the present password. */
  @Column('boolean', { default: true })
  readonly password_used!: boolean;

  /** The account of the subject who has proven the address at an issuer; its tokens act as this account in the tenants of this account. */
  @ForeignKey(() => AccountEntity, { name: 'accounts_joined_to_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  readonly joined_to!: AccountId | null;

  /** True while a generated password has not been shown. */
  @Column('boolean', { default: false })
  readonly password_unshown!: boolean;
}

/** The properties of an account for a login or password change. */
export type CredentialsRow = Pick<AccountEntity, 'id' | 'email' | 'password_hash' | 'state' | 'password_used'>;

/** An account for its owner. */
export type AccountRow = Pick<AccountEntity, 'id' | 'email' | 'name'>;

/** An account with all tenants of its person, oldest first, and the role in each. */
export interface AccountWithTenants extends AccountRow {
  readonly tenants: readonly { readonly id: TenantId; readonly name: string; readonly role: Role }[];
}
