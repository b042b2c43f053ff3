import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Embedder } from '#libs/ai';
import type { RevisionId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import { decodeTerms, storeTerms, summarizeTerms } from '#libs/text';
import type { RequestContext } from '#libs/tenancy';
import type { IndexedChunk } from '#libs/vector-store';
import { DocumentLifecycle, toFilterFacts } from '../documents/index.js';
import type { BatchDocument } from './batch-document.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { chunkIdOf, ChunkSets, type AnalysedChunk, type ChunkSet } from './chunk-sets.js';
import { CHUNKS_PER_SUMMARY } from './chunk.stage.js';
import { IndexWriter } from './index-writer.js';
import { RevisionTextRepository } from './revision-text.repository.js';

/** Writes what documents that go through the stages together have come to: in one transaction, then in one write to the store. */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSets,
    private readonly vectors: ChunkSetRepository,
    private readonly index: IndexWriter,
    private readonly embedder: Embedder,
  ) {}

  /** The checkpoints of all stages before the store: the same rows that the stages write one by one. Gives the documents that are still their attempts'. */
  async keep(ctx: RequestContext, documents: readonly BatchDocument[]): Promise<BatchDocument[]> {
    const attempts = documents.map(({ run }) => run.attempt);
    return this.lifecycle.guardedAll(ctx, attempts, async (manager, inner, rows) => {
      const owned = new Set<string>(rows.map((row) => row.id));
      const own = documents.filter(({ run }) => owned.has(run.document.id));
      if (own.length === 0) return [];
      await this.keepTexts(manager, inner, own);
      await this.keepChunks(manager, inner, own);
      await this.keepVectors(manager, inner, own);
      await this.lifecycle.advance(
        inner,
        own.map((document) => document.advance()),
      );
      return own;
    });
  }

  /** All chunks of the documents, under the generations of their attempts. */
  async store(ctx: RequestContext, documents: readonly BatchDocument[], signal: AbortSignal): Promise<void> {
    const rows = documents.flatMap(indexedChunks);
    for (let from = 0; from < rows.length; from += this.index.maxRows) {
      const datasetId = documents[0]!.run.document.dataset_id;
      await this.index.write(ctx, datasetId, rows.slice(from, from + this.index.maxRows), signal);
    }
  }

  private async keepTexts(
    manager: EntityManager,
    ctx: TransactionContext,
    documents: readonly BatchDocument[],
  ): Promise<void> {
    const fresh = documents.flatMap(({ revision, text }) =>
      text?.isNew === true ? [{ revisionId: revision.id, segments: text.segments, text: text.text }] : [],
    );
    if (fresh.length === 0) return;
    const ids = fresh.map(({ revisionId }) => revisionId);
    await this.texts.clear(manager, ids, false);
    await this.texts.append(manager, ctx, fresh, false);
    await this.texts.seal(manager, fresh, false);
  }

  private async keepChunks(
    manager: EntityManager,
    ctx: TransactionContext,
    documents: readonly BatchDocument[],
  ): Promise<void> {
    const keys = documents.map(({ run, revision, plan }) => ({
      documentId: run.document.id,
      revisionId: revision.id,
      fingerprint: plan!.fingerprint,
    }));
    const sets = await this.sets.open(manager, ctx, keys);
    const made = documents.flatMap((document) => adopt(document, sets));
    await this.sets.append(manager, ctx, made);
    await this.sets.appendSummaries(
      manager,
      ctx,
      made.flatMap(({ setId, chunks }) => summaries(chunks).map((summary, part) => ({ setId, part, summary }))),
    );
    await this.sets.seal(
      manager,
      made.map(({ setId, chunks, tokens }) => ({ id: setId, chunkCount: chunks.length, tokenCount: tokens })),
    );
  }

  private async keepVectors(
    manager: EntityManager,
    ctx: TransactionContext,
    documents: readonly BatchDocument[],
  ): Promise<void> {
    const rows = documents.flatMap((document) => document.lacking.map((row) => ({ id: row.id!, vector: row.vector! })));
    await this.vectors.appendVectors(manager, ctx, this.embedder.descriptor.space, rows);
  }
}

/** Gives a document its set, and each chunk its id. The chunks that have to be written come back; none when the set is there already. */
function adopt(
  document: BatchDocument,
  sets: ReadonlyMap<RevisionId, ChunkSet>,
): {
  readonly documentId: BatchDocument['run']['document']['id'];
  readonly setId: ChunkSet['id'];
  readonly chunks: readonly AnalysedChunk[];
  readonly tokens: number;
}[] {
  const { run, revision, chunks } = document;
  const set = sets.get(revision.id)!;
  if (chunks!.kind === 'stored' && !set.complete) throw new Error(`The chunk set ${set.id} went away.`);
  for (const row of document.rows) row.id = chunkIdOf(set.id, row.ordinal);
  if (chunks!.kind === 'stored' || set.complete) {
    document.set = set;
    return [];
  }
  const { tokens } = chunks!;
  document.set = { ...set, complete: true, chunk_count: chunks!.chunks.length, token_count: String(tokens) };
  return [{ documentId: run.document.id, setId: set.id, chunks: chunks!.chunks, tokens }];
}

/** In the parts that a long document's are written in. */
function summaries(chunks: readonly AnalysedChunk[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_SUMMARY) {
    const part = chunks.slice(from, from + CHUNKS_PER_SUMMARY);
    parts.push(summarizeTerms(part.map(({ terms }) => decodeTerms(terms))));
  }
  return parts;
}

function indexedChunks({ run, text, rows }: BatchDocument): IndexedChunk[] {
  const metadata = toFilterFacts({ ...run.document, ...text!.text.facts });
  return rows.map((row) => ({
    chunkId: row.id!,
    documentId: run.document.id,
    ordinal: row.ordinal,
    generation: run.attempt.token,
    terms: storeTerms(decodeTerms(row.terms)),
    vector: row.vector!,
    metadata,
  }));
}
