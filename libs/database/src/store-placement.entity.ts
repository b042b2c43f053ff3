import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Which vector store answers, and which other one gets every write too while the installation moves. At most one row; without it the store of the settings answers. */
@Entity('store_placement')
@Check('store_placement_check', 'shadow <> active')
@Check('store_placement_is_only_check', 'is_only')
export class StorePlacementEntity {
  @PrimaryColumn('boolean', { default: true })
  readonly is_only!: boolean;

  @Column('text')
  readonly active!: string;

  @Column('text', { nullable: true })
  readonly shadow!: string | null;

  @Column('bigint', { nullable: true })
  readonly first_token!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly switched_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;
}
