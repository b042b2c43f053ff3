import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '#libs/common';
import {
  ANALYSIS_VERSION,
  analyzeChunk,
  chunkBlocks,
  decodeTerms,
  encodeTerms,
  resolveChunkingOptions,
  summarizeTerms,
  type Chunk,
  type ChunkingOptions,
  type EncodedTerms,
} from '#libs/text';
import { DocumentLifecycle, type FinishedStage } from '../documents/index.js';
import { breathe, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { ChunkSetRepository, type AnalysedChunk, type ChunkSet } from './chunk-set.repository.js';
import { searchTitle } from './document-title.js';
import { PARSER_VERSION, type ParsedText } from './parse.stage.js';
import { RevisionTextRepository } from './revision-text.repository.js';

const CHUNKER_VERSION = '1';
const CHUNKS_PER_WRITE = 64;
const CHUNKS_PER_SUMMARY = 512;
/** Chunks analysed between two pauses for requests. */
const CHUNKS_PER_BREATH = 8;

/** Canonical text → chunks with their analysed terms; a finished set of the same fingerprint is used as it is. */
@Injectable()
export class ChunkStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSetRepository,
  ) {}

  async run(run: AttemptRun, text: ParsedText): Promise<ChunkSet> {
    const { ctx, attempt, document } = run;
    const options = resolveChunkingOptions(run.policy.chunking);
    const title = searchTitle(document.name, text.title);
    const set = await this.lifecycle.guarded(ctx, attempt, (manager) =>
      this.sets.open(manager, ctx, document, fingerprintOf(options, title)),
    );
    if (!set.complete) return this.make(run, set, options, { ...text, title });
    await this.lifecycle.noteResumed(ctx, attempt, 'chunking');
    await this.lifecycle.guarded(ctx, attempt, (_manager, inner) =>
      this.lifecycle.moveOn(inner, attempt, finishedChunking(set.chunk_count), 'embedding'),
    );
    return set;
  }

  private async make(run: AttemptRun, set: ChunkSet, options: ChunkingOptions, text: ParsedText): Promise<ChunkSet> {
    const writer = new ChunkSetWriter(run, set, text.length, this.sets, this.lifecycle);
    let count = 0;
    for await (const chunk of chunkBlocks(this.texts.read(run.ctx, run.document.revision_id), options)) {
      await writer.add(chunk, analyse(chunk, text.title ?? ''));
      if (++count % CHUNKS_PER_BREATH === 0) await breathe();
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
    private readonly sets: ChunkSetRepository,
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
    return { id: this.set.id, complete: true, chunk_count: this.chunks, token_count: String(this.tokens) };
  }

  private async write(last: boolean): Promise<void> {
    const { ctx, attempt, document, signal } = this.run;
    signal.throwIfAborted();
    await this.lifecycle.guarded(ctx, attempt, async (manager, inner) => {
      if (this.batch.length > 0) await this.sets.append(manager, ctx, document.id, this.set.id, this.batch);
      if (this.summarised.length >= CHUNKS_PER_SUMMARY || (last && this.summarised.length > 0)) {
        await this.sets.appendSummary(manager, ctx, this.set.id, this.parts++, summarizeTerms(this.summarised));
        this.summarised = [];
      }
      if (!last) {
        await this.lifecycle.showProgress(inner, attempt, this.progress());
        return;
      }
      await this.sets.seal(manager, this.set.id, this.chunks, this.tokens);
      await this.lifecycle.moveOn(inner, attempt, finishedChunking(this.chunks), 'embedding');
    });
    this.batch = [];
  }

  private progress(): number {
    const { from, to } = STAGE_SPAN.chunking;
    const reached = this.batch.at(-1)?.chunk.end ?? 0;
    return from + (to - from) * Math.min(1, reached / Math.max(1, this.textLength));
  }
}

function finishedChunking(chunks: number): FinishedStage {
  return { stage: 'chunking', progress: STAGE_SPAN.chunking.to, details: { chunks } };
}

function analyse(chunk: Chunk, title: string): Uint8Array {
  return encodeTerms(analyzeChunk({ text: chunk.text, title, headings: chunk.headingPath }));
}

/** Everything that decides which chunks a revision has and which terms they carry. */
function fingerprintOf(options: ChunkingOptions, title: string): string {
  const parts = { parser: PARSER_VERSION, chunker: CHUNKER_VERSION, analysis: ANALYSIS_VERSION, options, title };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 32);
}
