import type { ModelPurpose } from '#libs/ai';
import type { QueryTerms } from '#libs/ranking';
import type { RetrievalDefaults } from '../../ingestion-policy/index.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';

/** Options of a search within the service, beside the request. */
export interface RetrieveOptions {
  /** Stops the search, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** JSON pointer of the search options in the caller's body, for its problems; default: the body itself. */
  readonly pointer?: string;
  /** Defaults for options that neither the request nor its datasets set; the built-in defaults come last. */
  readonly fallback?: RetrievalDefaults;
  /** Whether omitted options have the built-in defaults, because the request names every option that was in force. */
  readonly isPinned?: boolean;
  /** Texts generated from the question before; no model is called for them again. */
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
