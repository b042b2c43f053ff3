import type { Embedder } from '#libs/ai';
import type { ChunkId, ChunkSetId } from '#libs/common';
import type { TextSegment } from '#libs/text';
import {
  stageCompleted,
  type AdvancedAttempt,
  type FinishedStage,
  type IngestionStage,
  type NewDocumentEvent,
} from '../../documents/index.js';
import { progressWithin, type BegunRun } from './attempt-run.js';
import type { AnalysedChunk, ChunkSetKey, SealedSet, ParsedText } from '../../content/index.js';

/** A piece of a text. */
export interface NewText {
  /** True for the first piece: what an unfinished parse has left goes. */
  readonly isFirst: boolean;
  readonly segments: readonly TextSegment[];
  readonly staged: boolean;
  /** With the last piece: what the text is. */
  readonly sealed: ParsedText | null;
}

/** A piece of a chunk set. */
export interface NewChunks {
  readonly setId: ChunkSetId;
  /** With the first piece: the set itself, which is made or emptied. */
  readonly opened: ChunkSetKey | null;
  readonly chunks: readonly AnalysedChunk[];
  readonly summaries: readonly { readonly part: number; readonly summary: Uint8Array }[];
  /** With the last piece. */
  readonly sealed: SealedSet | null;
}

export interface NewVector {
  readonly id: ChunkId;
  readonly vector: Float32Array;
}

/** What an attempt has come to since its last checkpoint. */
export interface NewResults {
  readonly text: NewText | null;
  readonly chunks: NewChunks | null;
  readonly vectors: readonly NewVector[];
  /** Null when it has not come further. */
  readonly advance: AdvancedAttempt | null;
}

/** Whole milliseconds that a stage took, and those of them that contributed steps took, by name. */
export interface StageTime {
  readonly ms: number;
  readonly steps?: Readonly<Record<string, number>>;
}

/** The way of one attempt: which stage it is at, and what of it has yet to be written. */
export class Journal {
  /** How far the document has come, in percent. */
  private progress = 0;
  private hasMoved = false;
  private current: IngestionStage = 'parsing';
  private events: NewDocumentEvent[] = [];
  private facts: AdvancedAttempt['facts'];
  private text: NewText | null = null;
  private chunks: NewChunks | null = null;
  private vectors: readonly NewVector[] = [];
  private spentMs = 0;
  private endedAt: Date | undefined;
  private steps: Record<string, number> = {};
  private chosen: Embedder | undefined;

  constructor(
    readonly run: BegunRun,
    readonly tries: number,
  ) {}

  /** The model that embeds the document in this attempt, from the first stage to the last. */
  get embedder(): Embedder {
    if (this.chosen === undefined) throw new Error('The attempt has no embedding model yet.');
    return this.chosen;
  }

  embedBy(embedder: Embedder): void {
    this.chosen = embedder;
  }

  get stage(): IngestionStage {
    return this.current;
  }

  /** Leaves the time out of account that has passed since the last work on this document. */
  beginWork(): void {
    this.run.clock.endStage();
  }

  /** Counts the time since the last work ended among that of the present stage. Gives it. */
  endWork(): number {
    const ms = this.run.clock.endStage();
    this.spentMs += ms;
    this.endedAt = this.run.clock.now();
    return ms;
  }

  /** As `endWork`, for the work of a contributed step, whose part of the stage's time the timeline tells. */
  endStep(name: string): void {
    this.steps[name] = this.endWork();
  }

  /** Notes that the present stage found results of an earlier attempt. */
  noteResumed(): void {
    this.events.push({ event: 'checkpoint_resumed', stage: this.current, at: this.run.clock.now() });
    this.hasMoved = true;
  }

  /** Tells how much of the present stage is done, from 0 to 1. */
  reach(share: number): void {
    this.progress = progressWithin(this.current, share);
    this.hasMoved = true;
  }

  /** Ends the present stage's time. */
  takeTime(): StageTime {
    const { spentMs: ms, steps } = this;
    this.spentMs = 0;
    this.steps = {};
    return Object.keys(steps).length === 0 ? { ms } : { ms, steps };
  }

  /** Leaves the present stage, whose work ended with the last `endWork`. */
  moveOn(finished: FinishedStage, next: IngestionStage): void {
    const at = this.endedAt ?? this.run.clock.now();
    this.events.push(stageCompleted(finished, at), { event: 'stage_started', stage: next, at });
    this.progress = finished.progress;
    this.facts = finished.facts ?? this.facts;
    this.current = next;
    this.hasMoved = true;
  }

  addText(text: NewText): void {
    this.text = text;
  }

  addChunks(chunks: NewChunks): void {
    this.chunks = chunks;
  }

  addVectors(vectors: readonly NewVector[]): void {
    this.vectors = vectors;
  }

  /** What has to be written now; nothing of it is given twice. */
  take(): NewResults {
    const { text, chunks, vectors } = this;
    const advance = this.hasMoved ? this.advance() : null;
    this.text = null;
    this.chunks = null;
    this.vectors = [];
    this.events = [];
    this.facts = undefined;
    this.hasMoved = false;
    return { text, chunks, vectors, advance };
  }

  private advance(): AdvancedAttempt {
    const { progress, facts, events } = this;
    const answered = this.vectors.length > 0;
    return { attempt: this.run.attempt, next: this.current, progress, facts, events, answered };
  }
}
