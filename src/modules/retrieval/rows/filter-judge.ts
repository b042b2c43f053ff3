import type { DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { matchesFilter, type Filter, type ScoredChunkId } from '#libs/vector-store';
import { toFilterFacts } from '../../documents/index.js';
import type { RetrievalRepository } from './retrieval.repository.js';

/** Documents whose facts are read by one statement. */
const DOCUMENTS_PER_READ = 1_000;
/** Factor by which each further look goes deeper than the previous one. */
const DEEPER = 4;

/** How many rows of a list are tried for a filter: `limit` at first, at most `most`. */
export interface FilterDepth {
  readonly wanted: number;
  readonly limit: number;
  readonly most: number;
}

/** Decides by the database which rows belong to documents that meet a filter. Each document is read once. */
export class FilterJudge {
  private readonly passing = new Map<DocumentId, boolean>();

  constructor(
    private readonly ctx: RequestContext,
    private readonly repository: RetrievalRepository,
    private readonly filter: Filter,
  ) {}

  /** The first `wanted` rows that pass of a list whose `limit` first rows `best` gives. */
  async firstOf(best: (limit: number) => readonly ScoredChunkId[], depth: FilterDepth): Promise<ScoredChunkId[]> {
    for (let limit = depth.limit; ; limit = Math.min(limit * DEEPER, depth.most)) {
      const rows = best(limit);
      const found = await this.passingOf(rows);
      if (found.length >= depth.wanted || rows.length < limit || limit >= depth.most)
        return found.slice(0, depth.wanted);
    }
  }

  private async passingOf(rows: readonly ScoredChunkId[]): Promise<ScoredChunkId[]> {
    const fresh = [...new Set(rows.map(({ documentId }) => documentId))].filter((id) => !this.passing.has(id));
    for (const id of fresh) this.passing.set(id, false);
    for (let from = 0; from < fresh.length; from += DOCUMENTS_PER_READ)
      for (const row of await this.repository.listFilterFacts(this.ctx, fresh.slice(from, from + DOCUMENTS_PER_READ)))
        this.passing.set(row.id, matchesFilter(this.filter, toFilterFacts(row)));
    return rows.filter(({ documentId }) => this.passing.get(documentId) === true);
  }
}
