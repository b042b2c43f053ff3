import { Answer, PageOf } from '#libs/http';
import { DatasetEmbeddingDto } from '../../datasets/index.js';
import { PolicyWarning } from '../../ingestion-policy/index.js';

export const REEMBEDDING_STATUSES = ['pending', 'running', 'completed', 'failed', 'rolled_back'] as const;
export type ReembeddingStatus = (typeof REEMBEDDING_STATUSES)[number];

/** Result of the check of sampled chunks before the switch to the new vectors. */
export class ReembeddingParity {
  /** Number of sampled chunks. */
  @Answer.Count()
  sampled!: number;

  /** Share of the sampled chunks that a search by their own vector finds in the new embedding space, 0 to 1. */
  @Answer.Share()
  found_by_vector!: number;

  /**
   * Share of chunks that a search by their first words finds in the new embedding space, among the sampled chunks that it finds in the
   * former one, 0 to 1.
   */
  @Answer.Share()
  found_by_keyword!: number;

  /**
   * Mean share of the ten nearest chunks of a sampled chunk that are the same in both embedding spaces, 0 to 1; null: the former space
   * could not be searched. For information only.
   */
  @Answer.Share({ nullable: true })
  neighbours_shared!: number | null;
}

/** The move of a dataset's vectors to the embedding model that the installation has now. */
export class Reembedding {
  /** Identifier of the re-embedding. */
  @Answer.Uuid()
  reembedding_id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /**
   * `running`: the new vectors are being made; searches are answered as before. `completed`: searches use the new vectors.
   * `failed`: searches still use the former vectors; `error` gives the reason. `rolled_back`: cancelled before the switch, or undone after it.
   */
  @Answer.Choice(REEMBEDDING_STATUSES)
  status!: ReembeddingStatus;

  /** Embedding of the dataset at the time of the request. */
  @Answer.Nested(() => DatasetEmbeddingDto)
  from!: DatasetEmbeddingDto;

  /** Embedding to which the dataset moves, as determined at the time of the request. */
  @Answer.Nested(() => DatasetEmbeddingDto)
  to!: DatasetEmbeddingDto;

  /** Effects of the move on chunks under the present ingestion policy; empty once the re-embedding failed or was rolled back. */
  @Answer.NestedList(PolicyWarning)
  warnings!: PolicyWarning[];

  /** Number of searchable documents of the dataset, as last counted. */
  @Answer.Count()
  documents!: number;

  /** Number of these documents whose new vectors are complete. */
  @Answer.Count()
  documents_done!: number;

  /** Number of embedded chunks, without those that already had a vector of the new model. */
  @Answer.Count()
  chunks_embedded!: number;

  /** Result of the check before the switch; null: not checked yet, or the dataset has no chunks. */
  @Answer.Nested(() => ReembeddingParity, { nullable: true })
  parity!: ReembeddingParity | null;

  /** Why the re-embedding or its latest try failed; null: neither failed. */
  @Answer.Text({ nullable: true })
  error!: string | null;

  /** Time of the request. */
  @Answer.Instant()
  created_at!: string;

  /** Time at which searches began to use the new vectors; null: not switched. */
  @Answer.Instant({ nullable: true })
  switched_at!: string | null;

  /** Time at which the re-embedding was completed, failed or rolled back; null: not ended. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;

  /** Time at which the former vectors were removed, after which a rollback is impossible; null: not removed. */
  @Answer.Instant({ nullable: true })
  former_dropped_at!: string | null;
}

/** A page of re-embeddings, the newest first. */
export class ReembeddingPage extends PageOf(Reembedding, {
  items: 'The re-embeddings of this page.',
  total: 'Total number of re-embeddings.',
  rows: 're-embeddings',
}) {}
