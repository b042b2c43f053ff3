import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EmbeddingScale } from '#libs/ai';

/** The scale of the cosines in an embedding space. Belongs to no tenant; written once for each space. */
@Entity('embedding_scales')
export class EmbeddingScaleEntity {
  @PrimaryColumn('text')
  readonly space!: string;

  @Column('jsonb')
  readonly scale!: EmbeddingScale;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly measured_at!: Date;
}
