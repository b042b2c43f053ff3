import { Injectable } from '@nestjs/common';
import { inTurns, prefetchOne, type Steps } from '#libs/common';
import { yieldAndFreeMemory } from '#libs/tasks';
import { chunkText, decodeTerms, storeTerms } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import type { IndexedChunk } from '#libs/vector-store';
import { maskedTypesOf, maskFacts, toFilterFacts } from '../../documents/index.js';
import { Checkpoints } from './checkpoints.service.js';
import { ChunkSetRepository } from '../../content/index.js';
import { IndexWriter, toIndexedChunks } from '../../indexing/index.js';
import type { Embedded, Stored } from '../attempt/document-states.js';

const ROWS_PER_WRITE = 256;

/** Rows for the store, and the ordinal of the last of them. */
interface IndexedPiece {
  readonly rows: readonly IndexedChunk[];
  readonly last: number;
}

/** Chunks → the vector store, under the generations of the attempts. They are not visible before the documents are completed. */
@Injectable()
export class WriteStage {
  constructor(
    private readonly sets: ChunkSetRepository,
    private readonly writer: IndexWriter,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** Writes documents of one dataset. @throws Postponed when the store asks for a pause. */
  async run(ctx: RequestContext, documents: readonly Embedded[], signal: AbortSignal): Promise<Stored[]> {
    await this.writeHeld(ctx, documents, signal);
    for (const document of documents) if (document.chunks.kind === 'stored') await this.stream(document);
    return documents.map((document) => {
      document.journal.endWork();
      return { ...document, state: 'stored' };
    });
  }

  private async writeHeld(ctx: RequestContext, documents: readonly Embedded[], signal: AbortSignal): Promise<void> {
    const rows = await inTurns(heldRows(documents, this.writer.wantsGrams));
    for (let from = 0; from < rows.length; from += this.writer.maxRows) {
      const { embedder, run } = documents[0]!.journal;
      const target = { datasetId: run.document.dataset_id, model: embedder.descriptor };
      await this.writer.write(ctx, target, rows.slice(from, from + this.writer.maxRows), signal);
    }
  }

  /** The next rows are read while the previous ones are written. */
  private async stream(document: Embedded): Promise<void> {
    const { journal, set } = document;
    const { ctx, signal, document: row } = journal.run;
    const target = { datasetId: row.dataset_id, model: journal.embedder.descriptor };
    for await (const { rows, last } of prefetchOne(this.readPieces(document))) {
      await this.writer.write(ctx, target, rows, signal);
      if (last + 1 >= set.chunk_count) break;
      journal.reach((last + 1) / set.chunk_count);
      await this.checkpoints.writeOne(journal);
      await yieldAndFreeMemory();
    }
  }

  private async *readPieces({ journal, policy, set, text }: Embedded): AsyncGenerator<IndexedPiece> {
    const { ctx, attempt, signal } = journal.run;
    const document = { ...maskFacts(journal.run.document, maskedTypesOf(policy)), ...text.facts };
    const limit = Math.min(ROWS_PER_WRITE, this.writer.maxRows);
    const owner = { document, generation: attempt.token };
    let after = -1;
    while (after + 1 < set.chunk_count) {
      signal.throwIfAborted();
      const rows = await this.sets.listToIndex(ctx, set.id, journal.embedder.descriptor.space, after, limit);
      const last = rows.at(-1);
      if (last === undefined) throw new Error(`Chunks after ${after} of document ${document.id} have no vectors.`);
      after = last.ordinal;
      yield { rows: await inTurns(toIndexedChunks(rows, this.writer.wantsGrams, () => owner)), last: after };
    }
  }
}

/** A chunk in each step: its terms are packed, or its n-grams counted for a store that searches by them. */
function* heldRows(documents: readonly Embedded[], withGrams: boolean): Steps<IndexedChunk[]> {
  const rows: IndexedChunk[] = [];
  for (const { journal, policy, text, chunks } of documents) {
    if (chunks.kind === 'stored') continue;
    const { document, attempt } = journal.run;
    const metadata = toFilterFacts({ ...maskFacts(document, maskedTypesOf(policy)), ...text.facts });
    for (const { id, ordinal, body, context, terms, analysed, vector } of chunks.rows) {
      rows.push({
        chunkId: id,
        documentId: document.id,
        ordinal,
        generation: attempt.token,
        terms: storeTerms(analysed ?? decodeTerms(terms, chunkText(body, context)), withGrams),
        vector,
        metadata,
      });
      yield;
    }
  }
  return rows;
}
