import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { RevisionId } from '#libs/common';
import { chunkBlocks } from '#libs/text';
import type { RequestContext } from '#libs/tenancy';
import type { DocumentWarning } from '../documents/index.js';
import { breathe } from './attempt-run.js';
import type { BatchChunk, BatchDocument } from './batch-document.js';
import { BatchParsing } from './batch-parsing.js';
import { BatchWriter } from './batch-writer.js';
import { ChunkSetRepository, vectorOf, type StoredChunk } from './chunk-set.repository.js';
import { ChunkSets, type AnalysedChunk } from './chunk-sets.js';
import { analyse, chunkPlanOf } from './chunk.stage.js';
import { EmbedStage } from './embed.stage.js';
import { RevisionTextRepository, type RevisionText } from './revision-text.repository.js';
import { chunked, embedded, truncated, zeroChunks } from './stage-events.js';

/** The stages for small documents that go through them together. */
@Injectable()
export class BatchStages {
  constructor(
    private readonly parsing: BatchParsing,
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSets,
    private readonly chunks: ChunkSetRepository,
    private readonly embedding: EmbedStage,
    private readonly writer: BatchWriter,
    private readonly embedder: Embedder,
  ) {}

  async revisionsOf(ctx: RequestContext, ids: readonly RevisionId[]): Promise<Map<RevisionId, RevisionText>> {
    const revisions = await this.texts.list(ctx, ids);
    return new Map(revisions.map((revision) => [revision.id, revision]));
  }

  /** Documents that end up without a text are to go on by themselves. */
  parse(documents: readonly BatchDocument[]): Promise<void> {
    return this.parsing.run(documents);
  }

  /** Chunks and their terms, in memory; finished sets of the same fingerprint are read instead. */
  async chunk(ctx: RequestContext, documents: readonly BatchDocument[]): Promise<void> {
    for (const document of documents) document.plan = chunkPlanOf(document.run, document.text!.text);
    const keys = documents.map(({ run, revision, plan }) => ({
      documentId: run.document.id,
      revisionId: revision.id,
      fingerprint: plan!.fingerprint,
    }));
    const finished = await this.sets.findFinished(ctx, keys);
    const setIds = [...finished.values()].map((set) => set.id);
    const stored = await this.chunks.listWhole(ctx, setIds, this.embedder.descriptor.space);
    for (const document of documents) {
      const set = finished.get(document.revision.id);
      document.run.clock.endStage();
      if (set === undefined) await makeChunks(document);
      else {
        document.chunks = { kind: 'stored', set, chunks: stored.get(set.id)! };
        document.rows = document.chunks.chunks.map(fromStored);
        document.noteResumed();
      }
      document.moveOn(chunked(document.rows.length, document.run.clock.endStage()), 'embedding');
    }
  }

  /** Vectors for the chunks that have none, of all documents at once. */
  async embed(documents: readonly BatchDocument[], signal: AbortSignal): Promise<void> {
    for (const document of documents) {
      document.lacking = document.rows.filter((row) => row.vector === undefined);
      if (document.rows.length > 0 && document.rows[0]!.vector !== undefined) document.noteResumed();
    }
    const lacking = documents.flatMap((document) => document.lacking);
    const vectors = await this.embedding.embed(lacking, signal);
    for (const [at, row] of lacking.entries()) row.vector = vectors[at]!;
    for (const document of documents) {
      const ms = document.run.clock.endStage();
      document.moveOn(embedded(document.lacking.length, this.embedder.descriptor.space, ms), 'vector_write');
    }
  }

  /** Gives the documents that are still their attempts'. */
  keep(ctx: RequestContext, documents: readonly BatchDocument[]): Promise<BatchDocument[]> {
    return this.writer.keep(ctx, documents);
  }

  store(ctx: RequestContext, documents: readonly BatchDocument[], signal: AbortSignal): Promise<void> {
    return this.writer.store(ctx, documents, signal);
  }

  /** What only the end of the pipeline knows about a document. */
  findWarnings({ rows }: BatchDocument): DocumentWarning[] {
    if (rows.length === 0) return [zeroChunks()];
    const { maxInputTokens } = this.embedder.descriptor;
    const longer = rows.filter((row) => row.token_count > maxInputTokens).length;
    return longer === 0 ? [] : [truncated(longer, maxInputTokens)];
  }
}

async function makeChunks(document: BatchDocument): Promise<void> {
  const { plan, text } = document;
  const chunks: AnalysedChunk[] = [];
  let tokens = 0;
  for await (const chunk of chunkBlocks(text!.segments, plan!.options)) {
    chunks.push({ chunk, terms: analyse(chunk, plan!.title) });
    tokens += chunk.tokenCount;
  }
  document.chunks = { kind: 'new', chunks, tokens };
  document.rows = chunks.map(fromNew);
  await breathe();
}

function fromNew({ chunk, terms }: AnalysedChunk): BatchChunk {
  const { ordinal, text: body, headingPath, tokenCount } = chunk;
  const open = { vector: undefined, id: undefined };
  return { ordinal, body, heading_path: headingPath, token_count: tokenCount, terms, ...open };
}

function fromStored(chunk: StoredChunk): BatchChunk {
  const { ordinal, body, heading_path: headings, token_count: tokens, terms, vector, id } = chunk;
  const known = { id, vector: vector === null ? undefined : vectorOf(vector) };
  return { ordinal, body, heading_path: headings, token_count: tokens, terms, ...known };
}
