import type { ChunkId } from '#libs/common';
import type { TextSegment } from '#libs/text';
import {
  stageCompleted,
  type AdvancedAttempt,
  type FinishedStage,
  type IngestionStage,
  type NewDocumentEvent,
} from '../documents/index.js';
import type { AttemptRun } from './attempt-run.js';
import type { StoredChunk } from './chunk-set.repository.js';
import type { AnalysedChunk, ChunkSet } from './chunk-sets.js';
import type { ChunkPlan } from './chunk.stage.js';
import type { ParsedText } from './parsed-text.js';
import type { RevisionText } from './revision-text.repository.js';

/** The text of a document, and whether it has yet to be written. */
export interface BatchText {
  readonly text: ParsedText;
  readonly segments: readonly TextSegment[];
  readonly isNew: boolean;
}

/** A chunk on its way to the store. */
export interface BatchChunk {
  readonly ordinal: number;
  readonly body: string;
  readonly heading_path: readonly string[];
  readonly token_count: number;
  readonly terms: Uint8Array;
  vector: Float32Array | undefined;
  /** Known once its set is. */
  id: ChunkId | undefined;
}

/** The chunks of a document: those of a set that an earlier attempt has finished, or new ones. */
export type BatchChunks =
  | { readonly kind: 'stored'; readonly set: ChunkSet; readonly chunks: readonly StoredChunk[] }
  | { readonly kind: 'new'; readonly chunks: readonly AnalysedChunk[]; readonly tokens: number };

/** One document of those that go through the stages together. */
export class BatchDocument {
  stage: IngestionStage = 'parsing';
  /** True when nothing is left to do for it here. */
  isOver = false;
  text: BatchText | undefined;
  plan: ChunkPlan | undefined;
  chunks: BatchChunks | undefined;
  rows: BatchChunk[] = [];
  set: ChunkSet | undefined;
  /** How long the last stage took; known at its end, which is that of the attempt. */
  storeMs = 0;
  /** The chunks that had no vector. */
  lacking: readonly BatchChunk[] = [];
  private readonly events: NewDocumentEvent[] = [];
  private readonly finished: FinishedStage[] = [];
  private facts: AdvancedAttempt['facts'];

  constructor(
    readonly run: AttemptRun,
    readonly tries: number,
    readonly revision: RevisionText,
  ) {}

  /** Notes that the present stage found results of an earlier attempt. */
  noteResumed(): void {
    this.events.push({ event: 'checkpoint_resumed', stage: this.stage, at: this.run.clock.now() });
  }

  /** Leaves the present stage. */
  moveOn(finished: FinishedStage, next: IngestionStage): void {
    const at = this.run.clock.now();
    this.events.push(stageCompleted(finished, at), { event: 'stage_started', stage: next, at });
    this.finished.push(finished);
    this.facts = finished.facts ?? this.facts;
    this.stage = next;
  }

  /** The stages that are done, with the milliseconds that each took. */
  get stageTimes(): readonly { readonly stage: IngestionStage; readonly ms: number }[] {
    const before = this.finished.map(({ stage, details }) => ({ stage, ms: Number(details['ms']) }));
    return [...before, { stage: this.stage, ms: this.storeMs }];
  }

  /** What has to be written of its way so far. */
  advance(): AdvancedAttempt {
    const { attempt } = this.run;
    return {
      attempt,
      next: this.stage,
      progress: this.finished.at(-1)?.progress ?? 0,
      facts: this.facts,
      events: this.events,
    };
  }
}
