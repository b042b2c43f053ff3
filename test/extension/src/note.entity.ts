import type { TenantId } from 'knowledge-base-service/extension';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A note of a tenant. */
@Entity('acme_notes_notes')
@Index('acme_notes_notes_title', ['tenant_id', 'title'], { unique: true })
export class NoteEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly title!: string;

  @Column('text')
  readonly body!: string;

  @Column('integer')
  readonly words!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}

/** How many words a text has: runs of letters and digits. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
