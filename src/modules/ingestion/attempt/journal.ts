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
  /** True for the first piece: segments of an unfinished parsing are removed. */
  readonly isFirst: boolean;
  readonly segments: readonly TextSegment[];
  readonly staged: boolean;
  /** Properties of the text; only with the last piece. */
  readonly sealed: ParsedText | null;
}

/** A piece of a chunk set. */
export interface NewChunks {
  readonly setId: ChunkSetId;
  /** The set itself, which is created or emptied; only with the first piece. */
  readonly opened: ChunkSetKey | null;
  readonly chunks: readonly AnalysedChunk[];
  readonly summaries: readonly { readonly part: number; readonly summary: Uint8Array }[];
  /** Values of the completed set; only with the last piece. */
  readonly sealed: SealedSet | null;
}

export interface NewVector {
  readonly id: ChunkId;
  readonly vector: Float32Array;
}

/** Changes of an attempt since its last checkpoint. */
export interface NewResults {
  readonly text: NewText | null;
  readonly chunks: NewChunks | null;
  readonly vectors: readonly NewVector[];
  /** Progress; null when it has not changed. */
  readonly advance: AdvancedAttempt | null;
}

/** Duration of a stage in whole milliseconds, and the parts of it that contributed steps took, by name. */
export interface StageTime {
  readonly ms: number;
  readonly steps?: Readonly<Record<string, number>>;
}

/** Journal of one attempt: its stage, and everything that has yet to be written. */
export class Journal {
  /** Progress of the document in percent. */
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

  /** Excludes the time since the last work on this document from the durations. */
  beginWork(): void {
    this.run.clock.endStage();
  }

  /** Adds the time since the last work ended to the present stage, and returns it. */
  endWork(): number {
    const ms = this.run.clock.endStage();
    this.spentMs += ms;
    this.endedAt = this.run.clock.now();
    return ms;
  }

  /** As `endWork`, for the work of a contributed step; the timeline shows its part of the stage's duration. */
  endStep(name: string): void {
    this.steps[name] = this.endWork();
  }

  /** Records that the present stage reuses results of an earlier attempt. */
  noteResumed(): void {
    this.events.push({ event: 'checkpoint_resumed', stage: this.current, at: this.run.clock.now() });
    this.hasMoved = true;
  }

  /** Sets the completed share of the present stage, 0 to 1. */
  reach(share: number): void {
    this.progress = progressWithin(this.current, share);
    this.hasMoved = true;
  }

  /** Ends the time measurement of the present stage. */
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

  /** Returns everything that must be written now; each change is returned once. */
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
