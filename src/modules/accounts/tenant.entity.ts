import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '#libs/common';

/** A tenant. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid')
  readonly id!: TenantId;

  @Column('text')
  readonly name!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;
}
