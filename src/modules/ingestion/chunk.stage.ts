import { Injectable } from '@nestjs/common';
import { newId, type ChunkSetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { chunkBlocks } from '#libs/text';
import { breathe, breatheDeeply } from './attempt-run.js';
import { Checkpoints } from './checkpoints.js';
import { analyse, chunkPlanOf, TermSummaries, type ChunkPlan } from './chunk-plan.js';
import { ChunkSetRepository, vectorOf, type StoredChunk } from './chunk-set.repository.js';
import { chunkIdOf, ChunkSets, type AnalysedChunk, type ChunkSet, type ChunkSetKey } from './chunk-sets.js';
import type { Chunked, ChunkSource, HeldChunk, Parsed } from './document-states.js';
import { RevisionTextRepository } from './revision-text.repository.js';

const CHUNKS_PER_WRITE = 64;
/** Chunks analysed between two pauses for requests. */
const CHUNKS_PER_BREATH = 8;
/** From so many on a document counts as long. */
const LONG = 512;

interface Planned {
  readonly document: Parsed;
  readonly plan: ChunkPlan;
  readonly key: ChunkSetKey;
}

/** Canonical text → chunks with their analysed terms; a finished set of the same fingerprint is used as it is. */
@Injectable()
export class ChunkStage {
  constructor(
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSets,
    private readonly stored: ChunkSetRepository,
    private readonly checkpoints: Checkpoints,
  ) {}

  async run(ctx: RequestContext, documents: readonly Parsed[]): Promise<Chunked[]> {
    if (documents.length === 0) return [];
    const planned = documents.map(planOf);
    const known = await this.sets.find(
      ctx,
      planned.map(({ key }) => key),
    );
    const rows = await this.readHeld(ctx, planned, known);
    const chunked: Chunked[] = [];
    for (const one of planned) {
      const { document, key } = one;
      const set = known.get(key.revisionId);
      if (document.source.kind === 'held') document.journal.beginWork();
      const outcome =
        set?.complete === true ? resume(one, set, rows.get(set.id)) : await this.make(one, set?.id ?? newId());
      document.journal.endWork();
      chunked.push(outcome);
    }
    return chunked;
  }

  /** The finished chunks of documents that are held in memory. */
  private async readHeld(
    ctx: RequestContext,
    planned: readonly Planned[],
    known: ReadonlyMap<string, ChunkSet>,
  ): Promise<ReadonlyMap<ChunkSetId, readonly StoredChunk[]>> {
    const [first] = planned;
    const finished = planned.flatMap(({ document, key }) => {
      const set = known.get(key.revisionId);
      return document.source.kind === 'held' && set?.complete === true ? [set.id] : [];
    });
    if (finished.length === 0 || first === undefined) return new Map();
    return this.stored.listWhole(ctx, finished, first.document.journal.embedder.descriptor.space);
  }

  private async make(planned: Planned, setId: ChunkSetId): Promise<Chunked> {
    const { document, plan, key } = planned;
    const { source, journal } = document;
    if (source.kind === 'stored') return this.makeStreamed(planned, setId);
    const made: AnalysedChunk[] = [];
    const summaries = new TermSummaries();
    let tokenCount = 0;
    for await (const chunk of chunkBlocks(source.segments, plan.options)) {
      const terms = analyse(chunk, plan.title);
      made.push({ chunk, terms });
      summaries.add(terms);
      tokenCount += chunk.tokenCount;
    }
    const sealed = { chunkCount: made.length, tokenCount };
    journal.addChunks({ setId, opened: key, chunks: made, summaries: summaries.take(true), sealed });
    await breathe();
    const rows = made.map((one) => fromNew(setId, one));
    return chunkedAs(document, setOf(setId, key, sealed), { kind: 'held', rows, made });
  }

  /** Chunks are written as they are made. The last piece is left to whoever writes the checkpoint behind the stage. */
  private async makeStreamed({ document, plan, key }: Planned, setId: ChunkSetId): Promise<Chunked> {
    const { journal, text, revision } = document;
    const summaries = new TermSummaries();
    let batch: AnalysedChunk[] = [];
    let opened: ChunkSetKey | null = key;
    let chunkCount = 0;
    let tokenCount = 0;
    for await (const chunk of chunkBlocks(this.texts.read(journal.run.ctx, revision.id, text.staged), plan.options)) {
      const terms = analyse(chunk, plan.title);
      batch.push({ chunk, terms });
      summaries.add(terms);
      chunkCount += 1;
      tokenCount += chunk.tokenCount;
      if (batch.length >= CHUNKS_PER_WRITE) {
        journal.addChunks({ setId, opened, chunks: batch, summaries: summaries.take(false), sealed: null });
        journal.reach(chunk.end / Math.max(1, text.length));
        await this.checkpoints.writeOne(journal);
        opened = null;
        batch = [];
      }
      if (chunkCount % CHUNKS_PER_BREATH === 0) await (chunkCount > LONG ? breatheDeeply() : breathe());
    }
    const sealed = { chunkCount, tokenCount };
    journal.addChunks({ setId, opened, chunks: batch, summaries: summaries.take(true), sealed });
    return chunkedAs(document, setOf(setId, key, sealed), { kind: 'stored' });
  }
}

function planOf(document: Parsed): Planned {
  const plan = chunkPlanOf(document);
  const { id: documentId } = document.journal.run.document;
  return { document, plan, key: { documentId, revisionId: document.revision.id, fingerprint: plan.fingerprint } };
}

function resume({ document }: Planned, set: ChunkSet, held: readonly StoredChunk[] | undefined): Chunked {
  document.journal.noteResumed();
  if (held === undefined) return chunkedAs(document, set, { kind: 'stored' });
  return chunkedAs(document, set, { kind: 'held', rows: held.map(fromStored), made: null });
}

function chunkedAs(document: Parsed, set: ChunkSet, chunks: ChunkSource<Float32Array | null>): Chunked {
  return { ...document, state: 'chunked', set, chunks };
}

function setOf(
  id: ChunkSetId,
  key: ChunkSetKey,
  { chunkCount, tokenCount }: { readonly chunkCount: number; readonly tokenCount: number },
): ChunkSet {
  const counts = { chunk_count: chunkCount, token_count: String(tokenCount) };
  return { id, revision_id: key.revisionId, complete: true, ...counts };
}

function fromNew(setId: ChunkSetId, { chunk, terms }: AnalysedChunk): HeldChunk<Float32Array | null> {
  const { ordinal, text: body, headingPath, tokenCount } = chunk;
  const id = chunkIdOf(setId, ordinal);
  return { id, ordinal, body, heading_path: headingPath, token_count: tokenCount, terms, vector: null };
}

function fromStored(chunk: StoredChunk): HeldChunk<Float32Array | null> {
  const { id, ordinal, body, heading_path: headings, token_count: tokens, terms, vector } = chunk;
  const known = vector === null ? null : vectorOf(vector);
  return { id, ordinal, body, heading_path: headings, token_count: tokens, terms, vector: known };
}
