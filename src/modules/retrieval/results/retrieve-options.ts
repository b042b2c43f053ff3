import type { ModelPurpose } from '#libs/ai';
import type { QueryTerms } from '#libs/ranking';
import type { RetrievalDefaults } from '../../ingestion-policy/index.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';

/** How a search is made, beside what is asked. */
export interface RetrieveOptions {
  /** Stops the search, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** JSON pointer of the search options in the caller's body, for its problems; default: the body itself. */
  readonly pointer?: string;
  /** What holds where neither the request nor its datasets say anything; the built-in defaults come after it. */
  readonly fallback?: RetrievalDefaults;
  /** Whether what the request is silent about is left to the built-in defaults, because it names all that held once. */
  readonly isPinned?: boolean;
  /** What was made of the question before: no model is asked for it again. */
  readonly expanded?: ExpandedQuery;
  /** The analysis of the question, where an earlier search has made it. */
  readonly terms?: QueryTerms;
  /** Whether a model will quote what is found: then its statements are compared with the question where words say more, too. */
  readonly isQuoted?: boolean;
  /** Whether the query holds words of earlier questions besides its own: what lacks those may answer it all the same. */
  readonly isFollowUp?: boolean;
  /** What models are called for, as usage and budgets see it. Default `search`. */
  readonly purpose?: ModelPurpose;
}
