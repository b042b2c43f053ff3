import type { ChunkId } from '#libs/common';
import type { RetrievalOutcome } from '../retrieval-outcome.js';
import type { SearchRequest } from '../retrieval.service.js';

/** What a chat would make of a search. */
export interface Outlook {
  /** Whether it would refuse to answer before a model is asked. */
  readonly isRefused: boolean;
  /** The results that its model would be given; the others do not fit into its context. */
  readonly given: ReadonlySet<ChunkId>;
}

/** What retrieval asks of chats to explain them. Contributed by the module that owns them; injection token. */
export abstract class AnswerOutlook {
  /** The search as a chat with this question and these options makes it. */
  abstract searchOf(request: SearchRequest): SearchRequest;

  /** What a chat of this one question makes of what was found. */
  abstract look(query: string, outcome: RetrievalOutcome): Outlook;
}
