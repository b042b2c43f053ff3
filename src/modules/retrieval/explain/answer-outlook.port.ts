import type { ChunkId } from '#libs/common';
import type { Missing } from '#libs/answering';
import type { RetrievalDefaults } from '../../ingestion-policy/index.js';
import { OUTLOOK_REFUSALS, type AnswerMeasure } from '../request/explained-answer.dto.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';

export { OUTLOOK_REFUSALS };

/** Why a chat would not answer. */
export interface OutlookRefusal {
  readonly code: (typeof OUTLOOK_REFUSALS)[number];
  readonly missing: Missing;
}

/** What a chat would make of a search. */
export interface Outlook {
  /** Null where it would answer, or where only the model itself can tell. */
  readonly refusal: OutlookRefusal | null;
  /** The measure that decides whether a model is asked. */
  readonly measure: AnswerMeasure;
  /** Whether the model writes text of its own: then it may still decline. */
  readonly isWriting: boolean;
  /** The results that its model would be given; the others do not fit into its context. */
  readonly given: ReadonlySet<ChunkId>;
}

/** What an explanation has to know of chats. The chat module provides it; also its injection token. */
export abstract class AnswerOutlook {
  /** Options of a chat's search where neither its request nor its datasets set others. */
  abstract get searchDefaults(): RetrievalDefaults;

  /** Whether the model quotes what is found. */
  abstract get isQuoting(): boolean;

  /** What a chat with this one question would make of the results. Only a model that quotes is asked for its answer. */
  abstract look(query: string, outcome: RetrievalOutcome, signal: AbortSignal): Promise<Outlook>;
}
