import { ApiProperty } from '@nestjs/swagger';
import { DatasetEmbeddingDto } from '../../datasets/index.js';
import { PolicyWarning } from '../../ingestion-policy/index.js';

export const REEMBEDDING_STATUSES = ['pending', 'running', 'completed', 'failed', 'rolled_back'] as const;
export type ReembeddingStatus = (typeof REEMBEDDING_STATUSES)[number];

const COUNT = { type: 'integer', minimum: 0 } as const;
const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;

/** What the check of sampled chunks found in the new index before the switch. */
export class ReembeddingParity {
  /** Chunks that were sampled. */
  @ApiProperty(COUNT)
  sampled!: number;

  /** Share of them that a search by their own vector finds in the new index. */
  @ApiProperty(SHARE)
  found_by_vector!: number;

  /** Share of them that a search by their first words finds in the new index, of those that it finds in the former one. */
  @ApiProperty(SHARE)
  found_by_keyword!: number;

  /** Mean share of their ten nearest chunks that both models agree on; null where the former index could not be asked. For information. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1, nullable: true })
  neighbours_shared!: number | null;
}

/** The move of a dataset's vectors to the embedding model that the installation has now. */
export class Reembedding {
  /** The re-embedding. */
  @ApiProperty({ format: 'uuid' })
  reembedding_id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /**
   * `running`: the new vectors are being made; searches are answered as before. `completed`: searches use the new vectors.
   * `failed`: nothing was switched; `error` says why. `rolled_back`: given up, or taken back after the switch.
   */
  @ApiProperty({ enum: REEMBEDDING_STATUSES })
  status!: ReembeddingStatus;

  /** Model of the dataset when this was asked for. */
  @ApiProperty({ type: () => DatasetEmbeddingDto })
  from!: DatasetEmbeddingDto;

  /** Model of the installation when this was asked for. */
  @ApiProperty({ type: () => DatasetEmbeddingDto })
  to!: DatasetEmbeddingDto;

  /** What it means for chunks under the ingestion policy of now; empty once it failed or was rolled back. */
  @ApiProperty({ type: [PolicyWarning] })
  warnings!: PolicyWarning[];

  /** Searchable documents of the dataset, as counted last. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Those of them whose new vectors are complete. */
  @ApiProperty(COUNT)
  documents_done!: number;

  /** Chunks that were embedded; those that had a vector of the new model already do not count. */
  @ApiProperty(COUNT)
  chunks_embedded!: number;

  /** The check before the switch; null until it was made, and for a dataset without chunks. */
  @ApiProperty({ type: () => ReembeddingParity, nullable: true })
  parity!: ReembeddingParity | null;

  /** Why it failed, or why its latest try did; null when nothing did. */
  @ApiProperty({ type: String, nullable: true })
  error!: string | null;

  /** When it was asked for. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When searches began to use the new vectors. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  switched_at!: string | null;

  /** When it was completed, failed or rolled back. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;

  /** When the former vectors were removed: it cannot be rolled back since. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  former_dropped_at!: string | null;
}

/** A page of re-embeddings, the newest first. */
export class ReembeddingPage {
  /** The re-embeddings of this page. */
  @ApiProperty({ type: [Reembedding] })
  items!: Reembedding[];

  /** How many there are in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}
