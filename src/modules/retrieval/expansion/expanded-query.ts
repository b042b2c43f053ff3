/** The expansion of a question by a model. */
export interface ExpandedQuery {
  /** Further phrasings, or a passage that might answer; empty where it failed, and where a model had nothing to add. */
  readonly texts: readonly string[];
  /** Code of the reason why the requested expansion failed; null when it succeeded or none was requested. */
  readonly failure: string | null;
}

export const NOT_EXPANDED: ExpandedQuery = { texts: [], failure: null };
