import type { ChunkId } from '#libs/common';
import type { EncodedTerms } from '#libs/ranking';
import type { TextSegment } from '#libs/text';
import type { IngestionPolicy } from '../../ingestion-policy/index.js';
import type { AnalysedChunk, ChunkSet, ParsedText, RevisionText } from '../../content/index.js';
import type { Journal } from './journal.js';

/**
 * Mode of processing. `held`: several small documents, whose texts and chunks stay in memory and are written together once. `streamed`: one
 * document of any length; each stage reads the result of the previous one from the database in pieces.
 */
export type Way = 'held' | 'streamed';

/** The states of a document during ingestion: each stage takes the previous state and returns its own. */
export interface Planned {
  readonly state: 'planned';
  readonly journal: Journal;
  readonly policy: IngestionPolicy;
  readonly revision: RevisionText;
}

/** The text exists: in memory, or in the segments of the revision. */
export interface Parsed extends Omit<Planned, 'state'> {
  readonly state: 'parsed';
  readonly text: ParsedText;
  /** True when an earlier attempt made the text. */
  readonly isResumed: boolean;
  readonly source: { readonly kind: 'held'; readonly segments: readonly TextSegment[] } | { readonly kind: 'stored' };
}

/** A chunk in memory; `Vector` is null if it may have no vector yet. */
export interface HeldChunk<Vector extends Float32Array | null> {
  readonly id: ChunkId;
  readonly ordinal: number;
  readonly body: string;
  readonly heading_path: readonly string[];
  readonly context: string | null;
  readonly token_count: number;
  readonly terms: Uint8Array;
  /** `terms` before packing; null for a chunk that an earlier attempt stored. */
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
  /** Number of chunks that the model cannot read in full although the policy has `fit_model`; null without `fit_model`. */
  readonly tooLong: number | null;
  /** Why some chunks got no line in this run; null: all got one, or none were requested. */
  readonly lineFailure: string | null;
}

/** Every chunk has its vector. */
export interface Embedded extends Omit<Chunked, 'state' | 'chunks'> {
  readonly state: 'embedded';
  readonly chunks: ChunkSource<Float32Array>;
  /** Number of vectors that were made; the others existed. */
  readonly embedded: number;
  /** The embedding space of the vectors. */
  readonly space: string;
}

/** All rows are in the database and in the vector store under the attempt's generation, but not yet shown. */
export interface Stored extends Omit<Embedded, 'state'> {
  readonly state: 'stored';
}

export type AnyState = Planned | Parsed | Chunked | Embedded | Stored;

/** Outcome of a stage for a document. */
export type Outcome<State> =
  | { readonly kind: 'done'; readonly document: State }
  /** The document fails without affecting others. */
  | { readonly kind: 'failed'; readonly journal: Journal; readonly error: unknown }
  /** The document continues alone later, so that the others do not wait for it. */
  | { readonly kind: 'alone'; readonly journal: Journal };

export function done<State>(document: State): Outcome<State> {
  return { kind: 'done', document };
}
