import type { ChunkId } from '#libs/common';
import type { EncodedTerms } from '#libs/ranking';
import type { TextSegment } from '#libs/text';
import type { IngestionPolicy } from '../../ingestion-policy/index.js';
import type { AnalysedChunk, ChunkSet, ParsedText, RevisionText } from '../../content/index.js';
import type { Journal } from './journal.js';

/**
 * How documents go through the stages. `held`: several small ones, whose texts and chunks stay in memory and are written together,
 * once. `streamed`: one of any length, of which each stage reads what the one before has written, piece by piece.
 */
export type Way = 'held' | 'streamed';

/** The states of a document on its way: each stage takes the one before its own, and gives its own. */
export interface Planned {
  readonly state: 'planned';
  readonly journal: Journal;
  readonly policy: IngestionPolicy;
  readonly revision: RevisionText;
}

/** The text is there: in memory, or in the segments of the revision. */
export interface Parsed extends Omit<Planned, 'state'> {
  readonly state: 'parsed';
  readonly text: ParsedText;
  /** True when an earlier attempt had made the text. */
  readonly isResumed: boolean;
  readonly source: { readonly kind: 'held'; readonly segments: readonly TextSegment[] } | { readonly kind: 'stored' };
}

/** A chunk in memory; `Vector` is null for those that have none yet. */
export interface HeldChunk<Vector extends Float32Array | null> {
  readonly id: ChunkId;
  readonly ordinal: number;
  readonly body: string;
  readonly heading_path: readonly string[];
  readonly context: string | null;
  readonly token_count: number;
  readonly terms: Uint8Array;
  /** `terms` before they were packed; null for a chunk that an earlier attempt stored. */
  readonly analysed: EncodedTerms | null;
  readonly vector: Vector;
}

/** Chunks in memory, or in the rows of their set. `made`: with positions, when this attempt has made them. */
export type ChunkSource<Vector extends Float32Array | null> =
  | {
      readonly kind: 'held';
      readonly rows: readonly HeldChunk<Vector>[];
      readonly made: readonly AnalysedChunk[] | null;
    }
  | { readonly kind: 'stored' };

/** The text is cut into chunks with analysed terms. */
export interface Chunked extends Omit<Parsed, 'state'> {
  readonly state: 'chunked';
  readonly set: ChunkSet;
  readonly chunks: ChunkSource<Float32Array | null>;
  /** Chunks that the model does not read whole although the policy fits them to it; null where the policy does not. */
  readonly tooLong: number | null;
  /** Why this run got no line for some chunks; null: it got all, or asked for none. */
  readonly lineFailure: string | null;
}

/** Every chunk has its vector. */
export interface Embedded extends Omit<Chunked, 'state' | 'chunks'> {
  readonly state: 'embedded';
  readonly chunks: ChunkSource<Float32Array>;
  /** How many vectors were made; the others were there. */
  readonly embedded: number;
  /** The embedding space of the vectors. */
  readonly space: string;
}

/** All rows are in the database and in the vector store, under the attempt's generation. What is left is to show them. */
export interface Stored extends Omit<Embedded, 'state'> {
  readonly state: 'stored';
}

export type AnyState = Planned | Parsed | Chunked | Embedded | Stored;

/** What became of a document at a stage. */
export type Outcome<State> =
  | { readonly kind: 'done'; readonly document: State }
  /** Ends by its own fault, and takes no other along. */
  | { readonly kind: 'failed'; readonly journal: Journal; readonly error: unknown }
  /** Goes on by itself later, because the others need not wait for it. */
  | { readonly kind: 'alone'; readonly journal: Journal };

export function done<State>(document: State): Outcome<State> {
  return { kind: 'done', document };
}
