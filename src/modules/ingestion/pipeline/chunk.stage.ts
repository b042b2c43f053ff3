import { Injectable } from '@nestjs/common';
import { inTurns, mapBounded, mapSteps, newId, prefetchOne, type ChunkSetId } from '#libs/common';
import { yieldAndFreeMemory, yieldToRequests } from '#libs/tasks';
import type { EncodedTerms } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import { chunkBlocks, type Chunk, type TextSegment } from '#libs/text';
import { vectorOf } from '#libs/vector-store';
import { Checkpoints } from './checkpoints.service.js';
import { analyse, chunkPlanOf, TermSummaries, type ChunkPlan } from './chunk-plan.js';
import { ChunkLines, type LineWriter } from '../enrichment/chunk-lines.service.js';
import {
  ChunkSetRepository,
  type StoredChunk,
  chunkIdOf,
  ChunkSets,
  type AnalysedChunk,
  type ChunkSet,
  type ChunkSetKey,
  type SealedSet,
  RevisionTextRepository,
} from '../../content/index.js';
import { DependencyGates } from '../../documents/index.js';
import type { Chunked, ChunkSource, HeldChunk, Parsed } from '../attempt/document-states.js';
import type { NewChunks } from '../attempt/journal.js';
import { fitChunking, type FittedChunking } from './fit-to-model.js';

const CHUNKS_PER_WRITE = 64;
/** Number of documents whose lines are waited for at the same time. */
const DOCUMENTS_AT_ONCE = 4;
/** Number of chunks from which a document counts as long. */
const LONG = 512;

/** A chunk with its terms, packed for its row (`terms`) and not packed (`analysed`). */
interface MadeChunk extends AnalysedChunk {
  readonly analysed: EncodedTerms;
}

/** Some chunks of a document, with the rows to write with them. */
interface ChunkPiece extends Pick<NewChunks, 'summaries'> {
  readonly chunks: readonly MadeChunk[];
  readonly isLast: boolean;
}

interface Planned {
  readonly document: Parsed;
  readonly plan: ChunkPlan;
  readonly key: ChunkSetKey;
  /** Number of chunks that the model cannot read in full although the policy has `fit_model`; null without `fit_model`. */
  readonly tooLong: number | null;
  /** Null: the policy wants no lines. */
  readonly lines: LineWriter | null;
}

/** Canonical text → chunks with their analysed terms; a completed set with the same fingerprint is reused. */
@Injectable()
export class ChunkStage {
  constructor(
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSets,
    private readonly stored: ChunkSetRepository,
    private readonly checkpoints: Checkpoints,
    private readonly lines: ChunkLines,
    private readonly gates: DependencyGates,
  ) {}

  async run(ctx: RequestContext, documents: readonly Parsed[]): Promise<Chunked[]> {
    if (documents.length === 0) return [];
    const planned: Planned[] = [];
    for (const document of documents) planned.push(await this.plan(document));
    const known = await this.sets.find(
      ctx,
      planned.map(({ key }) => key),
    );
    const rows = await this.readHeld(ctx, planned, known);
    // Waiting for a model needs no processor, so several documents may wait.
    const atOnce = planned.some(({ lines }) => lines !== null) ? DOCUMENTS_AT_ONCE : 1;
    return mapBounded(planned, atOnce, async (one) => {
      const { document, key } = one;
      const set = known.get(key.revisionId);
      if (document.source.kind === 'held') document.journal.beginWork();
      const outcome =
        set?.complete === true ? resume(one, set, rows.get(set.id)) : await this.make(one, set?.id ?? newId());
      document.journal.endWork();
      return outcome;
    });
  }

  private async plan(document: Parsed): Promise<Planned> {
    const { journal, policy, source, revision, text } = document;
    const { run, embedder } = journal;
    const { enrichment } = policy;
    if (source.kind === 'held') journal.beginWork();
    // An error of one of several documents does not end the others.
    const signal = source.kind === 'held' ? undefined : run.signal;
    const read = (): AsyncIterable<TextSegment> | Iterable<TextSegment> =>
      source.kind === 'held' ? source.segments : this.texts.read(run.ctx, revision.id, text.staged);
    // Counting tokens occupies the thread of a model, as embedding does.
    const fit = (): Promise<FittedChunking> => fitChunking(read, policy, embedder, signal);
    const { options, tooLong } =
      policy.chunking.fit_model === true
        ? await this.gates.ofEmbedder(embedder.descriptor.space).run(fit)
        : await fit();
    journal.endWork();
    const plan = chunkPlanOf(document, options, this.lines.writerOf(enrichment));
    const { fingerprint, partial } = plan;
    const key = { documentId: run.document.id, revisionId: revision.id, fingerprint, partial };
    return { document, plan, key, tooLong, lines: this.lines.open(run, plan.title, enrichment) };
  }

  /** Existing chunks of completed sets, for documents that are held in memory. */
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
    const cut: Chunk[] = [];
    for await (const chunk of chunkBlocks(source.segments, plan.options)) cut.push(chunk);
    const summaries = new TermSummaries();
    const made = await this.analyseAll(planned, cut, summaries);
    const sealed = sealedOf(planned, made.length, sumOf(made), missingOf(planned, made));
    journal.addChunks({ setId, opened: key, chunks: made, summaries: summaries.take(true), sealed });
    await yieldToRequests();
    const rows = made.map((one) => fromNew(setId, one));
    return chunkedAs(planned, setOf(setId, key, sealed), { kind: 'held', rows, made });
  }

  /** Chunks with their terms, and the lines about them if the policy wants lines. */
  private async analyseAll(
    { document, plan, lines }: Planned,
    chunks: readonly Chunk[],
    summaries: TermSummaries,
    { next, pause }: { readonly next?: Chunk | undefined; readonly pause?: () => Promise<void> } = {},
  ): Promise<MadeChunk[]> {
    const contexts = lines === null || chunks.length === 0 ? [] : await lines.write(chunks, next);
    const analyseOne = (chunk: Chunk, at: number): MadeChunk => {
      const context = contexts[at] ?? null;
      const { terms, bytes } = analyse(chunk, plan.title, context);
      summaries.add(terms);
      return { chunk, terms: bytes, analysed: terms, context };
    };
    const made = await inTurns(mapSteps(chunks, analyseOne), { party: document.journal.run.ctx.tenantId });
    await pause?.();
    return made;
  }

  /** Makes chunks while earlier ones are written. The last piece is written with the checkpoint after the stage. */
  private async makeStreamed(planned: Planned, setId: ChunkSetId): Promise<Chunked> {
    const { document, key } = planned;
    const { journal, text } = document;
    let opened: ChunkSetKey | null = key;
    let [chunkCount, tokenCount, missing] = [0, 0, 0];
    for await (const { chunks, summaries, isLast } of prefetchOne(this.makePieces(planned))) {
      chunkCount += chunks.length;
      tokenCount += sumOf(chunks);
      missing += missingOf(planned, chunks);
      const sealed = isLast ? sealedOf(planned, chunkCount, tokenCount, missing) : null;
      journal.addChunks({ setId, opened, chunks, summaries, sealed });
      if (sealed !== null) return chunkedAs(planned, setOf(setId, key, sealed), { kind: 'stored' });
      journal.reach((chunks.at(-1)?.chunk.end ?? 0) / Math.max(1, text.length));
      await this.checkpoints.writeOne(journal);
      opened = null;
    }
    throw new Error('A document is cut into a last piece, if it is an empty one.');
  }

  private async *makePieces(planned: Planned): AsyncGenerator<ChunkPiece> {
    const { document, plan } = planned;
    const { journal, text, revision } = document;
    const summaries = new TermSummaries();
    let batch: Chunk[] = [];
    let count = 0;
    const make = (next?: Chunk): Promise<MadeChunk[]> => {
      const pause = count > LONG ? yieldAndFreeMemory : yieldToRequests;
      return this.analyseAll(planned, batch, summaries, { next, pause });
    };
    for await (const chunk of chunkBlocks(this.texts.read(journal.run.ctx, revision.id, text.staged), plan.options)) {
      // Only now the chunk after the last one is known.
      if (batch.length >= CHUNKS_PER_WRITE) {
        yield { chunks: await make(chunk), summaries: summaries.take(false), isLast: false };
        batch = [];
      }
      batch.push(chunk);
      count += 1;
    }
    yield { chunks: await make(), summaries: summaries.take(true), isLast: true };
  }
}

/** Number of chunks that should have a line and have none. */
function missingOf({ lines }: Planned, made: readonly AnalysedChunk[]): number {
  return lines === null ? 0 : made.filter(({ context }) => context === null).length;
}

function sumOf(made: readonly AnalysedChunk[]): number {
  return made.reduce((sum, { chunk }) => sum + chunk.tokenCount, 0);
}

/** A set with missing lines is valid only for this attempt; the next one requests the missing lines. */
function sealedOf({ key }: Planned, chunkCount: number, tokenCount: number, missing: number): SealedSet {
  return { chunkCount, tokenCount, fingerprint: missing === 0 ? null : key.partial };
}

function resume(planned: Planned, set: ChunkSet, held: readonly StoredChunk[] | undefined): Chunked {
  planned.document.journal.noteResumed();
  if (held === undefined) return chunkedAs(planned, set, { kind: 'stored' });
  return chunkedAs(planned, set, { kind: 'held', rows: held.map(fromStored), made: null });
}

function chunkedAs(
  { document, lines, tooLong }: Planned,
  set: ChunkSet,
  chunks: ChunkSource<Float32Array | null>,
): Chunked {
  return { ...document, state: 'chunked', set, chunks, tooLong, lineFailure: lines?.failure ?? null };
}

function setOf(
  id: ChunkSetId,
  key: ChunkSetKey,
  { chunkCount, tokenCount }: { readonly chunkCount: number; readonly tokenCount: number },
): ChunkSet {
  const counts = { chunk_count: chunkCount, token_count: String(tokenCount) };
  return { id, revision_id: key.revisionId, complete: true, ...counts };
}

function fromNew(setId: ChunkSetId, { chunk, terms, analysed, context }: MadeChunk): HeldChunk<Float32Array | null> {
  const { ordinal, text: body, headingPath, tokenCount } = chunk;
  const id = chunkIdOf(setId, ordinal);
  const packed = { terms, analysed };
  return { id, ordinal, body, heading_path: headingPath, context, token_count: tokenCount, ...packed, vector: null };
}

function fromStored(chunk: StoredChunk): HeldChunk<Float32Array | null> {
  const { vector, chunk_set_id: _, ...held } = chunk as StoredChunk & { readonly chunk_set_id?: ChunkSetId };
  const known = vector === null ? null : vectorOf(vector);
  return { ...held, analysed: null, vector: known };
}
