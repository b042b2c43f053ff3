import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '#libs/common';
import {
  ANALYSIS_VERSION,
  chunkBlocks,
  decodeTerms,
  encodeChunk,
  resolveChunkingOptions,
  summarizeTerms,
  type Chunk,
  type ChunkingOptions,
  type EncodedTerms,
} from '#libs/text';
import { DocumentLifecycle } from '../documents/index.js';
import { breathe, breatheDeeply, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { ChunkSets, type AnalysedChunk, type ChunkSet } from './chunk-sets.js';
import { searchTitle } from './document-title.js';
import type { ParsedText } from './parsed-text.js';
import { RevisionTextRepository } from './revision-text.repository.js';
import { chunked } from './stage-events.js';

/** Changes when the same text and options would give other chunks. */
const CHUNKER_VERSION = '3';
const CHUNKS_PER_WRITE = 64;
/** Chunks whose terms are summed up in one row. */
export const CHUNKS_PER_SUMMARY = 512;
/** Chunks analysed between two pauses for requests. */
const CHUNKS_PER_BREATH = 8;

/** How a text is to be chunked, and what that is known by. */
export interface ChunkPlan {
  readonly options: ChunkingOptions;
  /** A field of its own in ranking: the document's name, and the title that the content gives. */
  readonly title: string;
  /** Everything that decides which chunks a revision has and which terms they carry. */
  readonly fingerprint: string;
}

export function chunkPlanOf(
  { document, policy }: Pick<AttemptRun, 'document' | 'policy'>,
  text: ParsedText,
): ChunkPlan {
  const options = resolveChunkingOptions(policy.chunking);
  const title = searchTitle(document.name, text.title);
  const parts = { text: text.fingerprint, chunker: CHUNKER_VERSION, analysis: ANALYSIS_VERSION, options, title };
  const fingerprint = createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 32);
  return { options, title, fingerprint };
}

/** The encoded terms of a chunk. */
export function analyse(chunk: Chunk, title: string): Uint8Array {
  return encodeChunk({ text: chunk.text, title, headings: chunk.headingPath });
}

/** Canonical text → chunks with their analysed terms; a finished set of the same fingerprint is used as it is. */
@Injectable()
export class ChunkStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSets,
  ) {}

  async run(run: AttemptRun, text: ParsedText): Promise<ChunkSet> {
    const { ctx, attempt, document } = run;
    const plan = chunkPlanOf(run, text);
    const key = { documentId: document.id, revisionId: document.revision_id, fingerprint: plan.fingerprint };
    const sets = await this.lifecycle.guarded(ctx, attempt, (manager) => this.sets.open(manager, ctx, [key]));
    const set = sets.get(document.revision_id)!;
    if (!set.complete) return this.make(run, set, plan, text);
    await this.lifecycle.noteResumed(ctx, attempt, 'chunking');
    await this.lifecycle.guarded(ctx, attempt, (_manager, inner) =>
      this.lifecycle.moveOn(inner, attempt, chunked(set.chunk_count, run.clock.endStage()), 'embedding'),
    );
    return set;
  }

  private async make(run: AttemptRun, set: ChunkSet, plan: ChunkPlan, text: ParsedText): Promise<ChunkSet> {
    const writer = new ChunkSetWriter(run, set, text.length, this.sets, this.lifecycle);
    let count = 0;
    const segments = this.texts.read(run.ctx, run.document.revision_id, text.staged);
    for await (const chunk of chunkBlocks(segments, plan.options)) {
      await writer.add(chunk, analyse(chunk, plan.title));
      if (++count % CHUNKS_PER_BREATH === 0) await (count > CHUNKS_PER_SUMMARY ? breatheDeeply() : breathe());
    }
    return writer.finish();
  }
}

/** Writes chunks in batches and their term statistics in parts, so that a long document needs little memory. */
class ChunkSetWriter {
  private batch: AnalysedChunk[] = [];
  private summarised: EncodedTerms[] = [];
  private parts = 0;
  private chunks = 0;
  private tokens = 0;

  constructor(
    private readonly run: AttemptRun,
    private readonly set: ChunkSet,
    private readonly textLength: number,
    private readonly sets: ChunkSets,
    private readonly lifecycle: DocumentLifecycle,
  ) {}

  async add(chunk: Chunk, terms: Uint8Array): Promise<void> {
    this.batch.push({ chunk, terms });
    this.summarised.push(decodeTerms(terms));
    this.chunks += 1;
    this.tokens += chunk.tokenCount;
    if (this.batch.length >= CHUNKS_PER_WRITE) await this.write(false);
  }

  async finish(): Promise<ChunkSet> {
    await this.write(true);
    return { ...this.set, complete: true, chunk_count: this.chunks, token_count: String(this.tokens) };
  }

  private async write(last: boolean): Promise<void> {
    const { ctx, attempt, document, signal, clock } = this.run;
    signal.throwIfAborted();
    await this.lifecycle.guarded(ctx, attempt, async (manager, inner) => {
      const setId = this.set.id;
      await this.sets.append(manager, ctx, [{ documentId: document.id, setId, chunks: this.batch }]);
      if (this.summarised.length >= CHUNKS_PER_SUMMARY || (last && this.summarised.length > 0)) {
        const summary = summarizeTerms(this.summarised);
        await this.sets.appendSummaries(manager, ctx, [{ setId, part: this.parts++, summary }]);
        this.summarised = [];
      }
      if (!last) {
        await this.lifecycle.showProgress(inner, attempt, this.progress());
        return;
      }
      await this.sets.seal(manager, [{ id: setId, chunkCount: this.chunks, tokenCount: this.tokens }]);
      await this.lifecycle.moveOn(inner, attempt, chunked(this.chunks, clock.endStage()), 'embedding');
    });
    this.batch = [];
  }

  private progress(): number {
    const { from, to } = STAGE_SPAN.chunking;
    const reached = this.batch.at(-1)?.chunk.end ?? 0;
    return from + (to - from) * Math.min(1, reached / Math.max(1, this.textLength));
  }
}
