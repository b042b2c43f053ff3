import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ApiKeyId, DatasetId, TenantId } from '#libs/common';
import { TenantEntity } from './tenant.entity.js';
import { AccountEntity } from './account.entity.js';
import type { Role } from '#libs/tenancy';

/** An API key of an account in a tenant, with the hash of its secret. */
@Entity('api_keys')
@Index('api_keys_account', ['tenant_id', 'account_id', 'created_at'])
@Check('api_keys_role_check', "role IN ('viewer', 'editor', 'auditor', 'admin', 'owner')")
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  readonly id!: ApiKeyId;

  @ForeignKey(() => TenantEntity, { name: 'api_keys_tenant_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => AccountEntity, { name: 'api_keys_account_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly account_id!: AccountId;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly secret_hash!: string;

  @Column('text', { nullable: true })
  readonly role!: Role | null;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('uuid', { array: true, nullable: true })
  readonly dataset_ids!: readonly DatasetId[] | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly expires_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly last_used_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}

/** An API key for its owner, without the hash. */
export type ApiKeyRow = Omit<ApiKeyEntity, 'tenant_id' | 'account_id' | 'secret_hash'>;
