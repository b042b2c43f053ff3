/** What a model made of a question. */
export interface ExpandedQuery {
  /** Further phrasings, or a passage that might answer; empty where it failed, and where a model had nothing to add. */
  readonly texts: readonly string[];
  /** Why the question is searched for as it is, although more was asked for; null: it is not, or nothing was asked for. */
  readonly failure: string | null;
}

export const NOT_EXPANDED: ExpandedQuery = { texts: [], failure: null };
