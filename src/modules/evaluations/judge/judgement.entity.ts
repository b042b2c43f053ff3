import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '#libs/common';

/** A judge's value for an answer from documents. It contains no text, and is removed when any of the documents is deleted or put into quarantine. */
@Entity('evaluation_judgements')
@Index('evaluation_judgements_used', ['tenant_id', 'used_at'])
@Index('evaluation_judgements_documents', { synchronize: false })
export class JudgementEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  /** SHA-256 of judge, version of the prompts, metric, run and texts. */
  @PrimaryColumn('bytea')
  readonly key!: Buffer;

  @Column('double precision')
  readonly value!: number;

  @Column('uuid', { array: true })
  readonly document_ids!: string[];

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly used_at!: Date;
}
