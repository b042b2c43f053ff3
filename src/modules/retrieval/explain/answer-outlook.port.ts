import type { ChunkId } from '#libs/common';
import type { RetrievalDefaults } from '../../ingestion-policy/index.js';
import type { RetrievalOutcome } from '../retrieval-outcome.js';

/** What a chat would make of a search. */
export interface Outlook {
  /** Whether it would refuse to answer before a model is asked. */
  readonly isRefused: boolean;
  /** The results that its model would be given; the others do not fit into its context. */
  readonly given: ReadonlySet<ChunkId>;
}

/** What retrieval asks of chats to explain them. Contributed by the module that owns them; injection token. */
export abstract class AnswerOutlook {
  /** What holds for the search of a chat where neither its request nor its datasets say anything. */
  abstract get searchDefaults(): RetrievalDefaults;

  /** What a chat of this one question makes of what was found. */
  abstract look(query: string, outcome: RetrievalOutcome): Outlook;
}
