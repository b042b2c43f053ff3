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
  /** What decides whether a model is asked. */
  readonly measure: AnswerMeasure;
  /** Whether the model writes: then it may decline by itself. */
  readonly isWriting: boolean;
  /** The results that its model would be given; the others do not fit into its context. */
  readonly given: ReadonlySet<ChunkId>;
}

/** What retrieval asks of chats to explain them. Contributed by the module that owns them; injection token. */
export abstract class AnswerOutlook {
  /** What holds for the search of a chat where neither its request nor its datasets say anything. */
  abstract get searchDefaults(): RetrievalDefaults;

  /** Whether the model quotes what is found. */
  abstract get isQuoting(): boolean;

  /** What a chat of this one question makes of what was found. A model that quotes is asked, one that writes is not. */
  abstract look(query: string, outcome: RetrievalOutcome, signal: AbortSignal): Promise<Outlook>;
}
