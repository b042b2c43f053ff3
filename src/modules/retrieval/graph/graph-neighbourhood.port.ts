import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** A chunk that names an entity, as its document shows it. */
export interface NamingChunk {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  /** Under which the document shows it; bigint as text. */
  readonly generation: string;
}

/** An entity of a dataset's graph, with every visible chunk that names it. */
export interface GraphEntity {
  readonly datasetId: DatasetId;
  /** The same for all its names, within its dataset. */
  readonly key: string;
  readonly label: string;
  readonly chunks: readonly NamingChunk[];
}

/** An entity that the question names. */
export interface LinkedEntity extends GraphEntity {
  /** As the question has it. */
  readonly form: string;
  /** 1, or the share of it where the form may mean several entities of the dataset. */
  readonly weight: number;
}

/** What a question names. */
export interface LinkedQuestion {
  /** In a fixed order. */
  readonly entities: readonly LinkedEntity[];
  /** Datasets of which no visible document has been extracted. */
  readonly withoutGraph: readonly DatasetId[];
}

/** An entity that some chunks name beside what the question names. */
export interface LeadingEntity extends GraphEntity {
  /** Those of the chunks asked about that name it. */
  readonly from: readonly ChunkId[];
}

/**
 * The knowledge graphs as retrieval needs them. Injection token; contributed by the module that owns the graphs. Answers only from documents that
 * searches currently show; the caller has checked that the datasets may be seen. Reads only the neighbourhood of a question, never a whole graph.
 * Entities that too many chunks name are left out, because they distinguish none of these chunks.
 */
export abstract class GraphNeighbourhood {
  abstract link(ctx: RequestContext, datasetIds: readonly DatasetId[], question: string): Promise<LinkedQuestion>;

  /** Entities that both these chunks and other chunks name, in a fixed order. */
  abstract leadOn(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    chunkIds: readonly ChunkId[],
  ): Promise<readonly LeadingEntity[]>;
}
