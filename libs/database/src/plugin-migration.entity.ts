import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A step of a plugin's schema that has run. */
@Entity('plugin_migrations')
export class PluginMigrationEntity {
  @PrimaryColumn('text')
  readonly plugin!: string;

  @PrimaryColumn('text')
  readonly name!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly executed_at!: Date;
}
