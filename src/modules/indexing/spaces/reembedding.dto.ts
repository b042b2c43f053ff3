import { ApiProperty } from '@nestjs/swagger';
import { DatasetEmbeddingDto } from '../../datasets/index.js';
import { PolicyWarning } from '../../ingestion-policy/index.js';

export const REEMBEDDING_STATUSES = ['pending', 'running', 'completed', 'failed', 'rolled_back'] as const;
export type ReembeddingStatus = (typeof REEMBEDDING_STATUSES)[number];

const COUNT = { type: 'integer', minimum: 0 } as const;
const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;

/** What the check of sampled chunks found in the new index before the switch. */
export class ReembeddingParity {
  /** Number of sampled chunks. */
  @ApiProperty(COUNT)
  sampled!: number;

  /** Share of the sampled chunks that a search by their own vector finds in the new embedding space, 0 to 1. */
  @ApiProperty(SHARE)
  found_by_vector!: number;

  /**
   * Share of chunks that a search by their first words finds in the new embedding space, among the sampled chunks that it finds in the
   * former one, 0 to 1.
   */
  @ApiProperty(SHARE)
  found_by_keyword!: number;

  /**
   * Mean share of the ten nearest chunks of a sampled chunk that are the same in both embedding spaces, 0 to 1; null: the former space
   * could not be searched. For information only.
   */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1, nullable: true })
  neighbours_shared!: number | null;
}

/** The move of a dataset's vectors to the embedding model that the installation has now. */
export class Reembedding {
  /** Identifier of the re-embedding. */
  @ApiProperty({ format: 'uuid' })
  reembedding_id!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /**
   * `running`: the new vectors are being made; searches are answered as before. `completed`: searches use the new vectors.
   * `failed`: searches still use the former vectors; `error` gives the reason. `rolled_back`: cancelled before the switch, or undone after it.
   */
  @ApiProperty({ enum: REEMBEDDING_STATUSES })
  status!: ReembeddingStatus;

  /** Embedding of the dataset at the time of the request. */
  @ApiProperty({ type: () => DatasetEmbeddingDto })
  from!: DatasetEmbeddingDto;

  /** Embedding to which the dataset moves, as determined at the time of the request. */
  @ApiProperty({ type: () => DatasetEmbeddingDto })
  to!: DatasetEmbeddingDto;

  /** Effects of the move on chunks under the present ingestion policy; empty once the re-embedding failed or was rolled back. */
  @ApiProperty({ type: [PolicyWarning] })
  warnings!: PolicyWarning[];

  /** Number of searchable documents of the dataset, as last counted. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Number of these documents whose new vectors are complete. */
  @ApiProperty(COUNT)
  documents_done!: number;

  /** Number of embedded chunks, without those that already had a vector of the new model. */
  @ApiProperty(COUNT)
  chunks_embedded!: number;

  /** Result of the check before the switch; null: not checked yet, or the dataset has no chunks. */
  @ApiProperty({ type: () => ReembeddingParity, nullable: true })
  parity!: ReembeddingParity | null;

  /** Why the re-embedding or its latest try failed; null: nothing failed. */
  @ApiProperty({ type: String, nullable: true })
  error!: string | null;

  /** Time of the request. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Time at which searches began to use the new vectors; null: not switched. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  switched_at!: string | null;

  /** Time at which the re-embedding was completed, failed or rolled back; null: not ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;

  /** Time at which the former vectors were removed, after which a rollback is impossible; null: not removed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  former_dropped_at!: string | null;
}

/** A page of re-embeddings, the newest first. */
export class ReembeddingPage {
  /** The re-embeddings of this page. */
  @ApiProperty({ type: [Reembedding] })
  items!: Reembedding[];

  /** Total number of re-embeddings. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of re-embeddings left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of re-embeddings in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
