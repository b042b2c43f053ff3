import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject, TenantId } from '#libs/common';
import type { StoreIntentKind } from './store-intent.tasks.js';

/** A pending change outside the database: rows or files that may have to be removed, or metadata to write. */
@Entity('store_intents')
@Index('store_intents_due', ['tenant_id', 'kind', 'due_at'])
@Index('store_intents_subject', ['kind', 'subject'])
@Check('store_intents_kind_check', "kind IN ('remove_generation', 'remove_blob', 'update_metadata')")
export class StoreIntentEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly kind!: StoreIntentKind;

  @Column('text')
  readonly subject!: string;

  @Column('jsonb')
  readonly payload!: JsonObject;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly due_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
