import type { ChunkId, ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import type { ScoredChunkId } from '#libs/vector-store';
import type { VisibleDataset } from '../../datasets/index.js';
import { isReplacedSince } from '../snapshot/replaced-documents.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';

/** A row of the store that belongs to what its document shows now. */
export interface VisibleChunk {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  /** The chunk set that the document shows; a chunk of another one is not to be seen. */
  readonly chunkSetId: ChunkSetId;
}

/**
 * Chunks that the store proposes and the contents of the datasets confirm: of the current generation, neither deleted nor in quarantine. Before
 * results are shown, each of them is checked against the database again.
 */
export class ProposedChunks {
  readonly chunks = new Map<ChunkId, VisibleChunk>();
  /** The change of each dataset as of which the rows were looked at. */
  readonly seqs: readonly bigint[];
  /** A document got other chunks while they were sought: some of the old ones were proposed, and the new ones are shown. */
  isTorn = false;
  private readonly began: readonly bigint[];

  constructor(
    private readonly datasets: readonly VisibleDataset[],
    private readonly contents: readonly DatasetContents[],
  ) {
    this.seqs = contents.map(({ seq }) => seq);
    this.began = datasets.map(({ contentSeq }) => BigInt(contentSeq));
  }

  /** Takes rows in, and gives the visible chunks among them that are new to it. */
  add(rows: readonly ScoredChunkId[]): VisibleChunk[] {
    const added: VisibleChunk[] = [];
    for (const row of rows) {
      if (this.chunks.has(row.chunkId)) continue;
      const chunk = this.visibleChunk(row);
      if (chunk === undefined) continue;
      this.chunks.set(chunk.id, chunk);
      added.push(chunk);
    }
    return added;
  }

  /** The same, or what `rows` are by the contents of this moment if those have changed. */
  asOfNow(rows: readonly ScoredChunkId[]): ProposedChunks {
    if (this.contents.every(({ seq }, index) => seq === this.seqs[index])) return this;
    const anew = new ProposedChunks(this.datasets, this.contents);
    anew.add(rows);
    return anew;
  }

  private visibleChunk({ chunkId: id, documentId, generation }: ScoredChunkId): VisibleChunk | undefined {
    for (let index = 0; index < this.contents.length; index += 1) {
      const shown = this.contents[index]!.counted.get(documentId);
      if (shown === undefined) continue;
      this.isTorn ||= isReplacedSince(shown, this.began[index]!);
      if (shown.generation === generation)
        return { id, documentId, datasetId: this.datasets[index]!.id, chunkSetId: shown.set };
    }
    return undefined;
  }
}
