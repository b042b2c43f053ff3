import { Injectable } from '@nestjs/common';
import type { ModelCaller } from '#libs/ai';
import { prefetchOne } from '#libs/common';
import { yieldAndFreeMemory } from '#libs/tasks';
import { Checkpoints } from './checkpoints.service.js';
import { ChunkEmbedder, type EmbeddableChunk, ChunkSetRepository } from '../../content/index.js';
import type { Chunked, Embedded, HeldChunk } from '../attempt/document-states.js';
import type { NewVector } from '../attempt/journal.js';

const MOST_PER_BATCH = 32;

/** A document whose chunks are in memory. */
interface HeldDocument {
  readonly document: Chunked;
  readonly rows: readonly HeldChunk<Float32Array | null>[];
}

/** The vectors of some chunks, and the ordinal of the last of them. */
interface EmbeddedPiece {
  readonly vectors: readonly NewVector[];
  readonly last: number;
  readonly isLast: boolean;
}

/** Chunks → vectors; existing vectors in the space are kept, so that a retry does not call the model again. */
@Injectable()
export class EmbedStage {
  constructor(
    private readonly sets: ChunkSetRepository,
    private readonly chunkEmbedder: ChunkEmbedder,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** @throws Postponed when the model asks for a pause. */
  async run(documents: readonly Chunked[], signal: AbortSignal): Promise<Embedded[]> {
    const held = documents.flatMap((document) =>
      document.chunks.kind === 'held' ? [{ document, rows: document.chunks.rows }] : [],
    );
    const embedded = await this.embedHeld(held, signal);
    for (const document of documents) if (document.chunks.kind === 'stored') embedded.push(await this.stream(document));
    return embedded;
  }

  /** Embeds the chunks of all documents at once. */
  private async embedHeld(documents: readonly HeldDocument[], signal: AbortSignal): Promise<Embedded[]> {
    for (const { document, rows } of documents) {
      if (rows[0] !== undefined && rows[0].vector !== null) document.journal.noteResumed();
    }
    const lacking = documents.flatMap(({ document, rows }) =>
      rows.filter(({ vector }) => vector === null).map((row) => chunkOf(document, row)),
    );
    const [first] = documents;
    const made =
      first === undefined
        ? []
        : await this.chunkEmbedder.embed(first.document.journal.embedder, lacking, callerOf(first.document), signal);
    const vectors = made.values();
    return documents.map(({ document, rows }) => {
      const filledRows: HeldChunk<Float32Array>[] = [];
      const whole = rows.map((row) => {
        if (row.vector !== null) return { ...row, vector: row.vector };
        const filled = { ...row, vector: takeNext(vectors) };
        filledRows.push(filled);
        return filled;
      });
      document.journal.addVectors(filledRows);
      document.journal.endWork();
      const chunks = { kind: 'held', rows: whole, made: madeOf(document) } as const;
      return {
        ...document,
        state: 'embedded',
        chunks,
        embedded: filledRows.length,
        space: document.journal.embedder.descriptor.space,
      };
    });
  }

  /** The model embeds the next piece while the previous one is written. */
  private async stream(document: Chunked): Promise<Embedded> {
    const { journal, set } = document;
    let embedded = 0;
    for await (const { vectors, last, isLast } of prefetchOne(this.embedPieces(document))) {
      journal.addVectors(vectors);
      embedded += vectors.length;
      // The last piece is written with the checkpoint after the stage.
      if (isLast) break;
      journal.reach(last / Math.max(1, set.chunk_count));
      await this.checkpoints.writeOne(journal);
      await yieldAndFreeMemory();
    }
    journal.endWork();
    const { space } = journal.embedder.descriptor;
    return { ...document, state: 'embedded', chunks: { kind: 'stored' }, embedded, space };
  }

  private async *embedPieces(document: Chunked): AsyncGenerator<EmbeddedPiece> {
    const { journal, set } = document;
    const { ctx, signal } = journal.run;
    const { space, maxBatchSize } = journal.embedder.descriptor;
    const limit = Math.min(MOST_PER_BATCH, maxBatchSize);
    let last = -1;
    for (;;) {
      signal.throwIfAborted();
      const rows = await this.sets.listToEmbed(ctx, set.id, space, last, limit);
      if (last === -1 && set.chunk_count > 0 && rows[0]?.ordinal !== 0) journal.noteResumed();
      const texts = rows.map((row) => chunkOf(document, row));
      const made = await this.chunkEmbedder.embed(journal.embedder, texts, callerOf(document), signal);
      const vectors = rows.map(({ id }, index) => ({ id, vector: made[index]! }));
      last = rows.at(-1)?.ordinal ?? last;
      const isLast = rows.length < limit;
      yield { vectors, last, isLast };
      if (isLast) return;
    }
  }
}

/** Documents of one run belong to one dataset. */
function callerOf({ journal }: Chunked): ModelCaller {
  const { ctx, document } = journal.run;
  return { tenantId: ctx.tenantId, datasetIds: [document.dataset_id], purpose: 'ingestion' };
}

function chunkOf(
  { journal }: Chunked,
  { body, heading_path, context }: Omit<EmbeddableChunk, 'documentId'>,
): EmbeddableChunk {
  return { body, heading_path, context, documentId: journal.run.document.id };
}

function madeOf({ chunks }: Chunked): Extract<Chunked['chunks'], { kind: 'held' }>['made'] {
  return chunks.kind === 'held' ? chunks.made : null;
}

function takeNext(vectors: Iterator<Float32Array>): Float32Array {
  const next = vectors.next();
  if (next.done === true) throw new Error('The model returned fewer vectors than texts.');
  return next.value;
}
