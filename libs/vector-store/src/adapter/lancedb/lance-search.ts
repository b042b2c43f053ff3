import type { Query, VectorQuery as LanceVectorQuery } from '@lancedb/lancedb';
import type { KeywordQuery, ScoredChunkId, VectorQuery } from '../../vector-store.port.js';
import { byScore, mergeByRank, mergeByScore } from '../merge-candidates.js';
import type { FilterPlan } from './document-catalogue.js';
import type { Lance } from './lance-module.js';
import { TERM_COLUMNS, tokenFormOf } from './lance-rows.js';
import type { LanceTable } from './lance-table.js';
import { tokensOf } from './lance-tokens.js';
import { readScored } from './read-ids.js';

/** Asked for beyond the limit, so that a tie at the border can be seen and broken by id instead of by chance. */
const BORDER = 16;
/** A tie that is longer than this is cut where LanceDB cuts it. */
const BORDER_MAX = 1_024;
/** Candidates that the vector index weighs per result asked, at least the second figure; exact distances order the double of them. */
const VECTOR_EFFORT = { perResult: 3, least: 200, refine: 2 };

/** The best rows of one table for the words and the title of a query, in the order of `TERM_COLUMNS`. */
export async function searchLegs(
  lance: Lance,
  table: LanceTable,
  query: KeywordQuery,
  timeoutMs: number,
): Promise<ScoredChunkId[][]> {
  const plan = await table.plan(query.filter);
  return await Promise.all(
    TERM_COLUMNS.map(async (leg) => {
      const terms = tokensOf(query.terms[leg], tokenFormOf(table.spec));
      if (terms.length === 0 || plan.kind === 'nothing') return [];
      const match = new lance.MatchQuery(terms.join(' '), leg, { operator: lance.Operator.Or, fuzziness: 0 });
      return await bestOf(query.limit, (count) => {
        const matching = table.table.query().fullTextSearch(match).limit(count);
        restrict(matching, plan);
        return readScored(matching, '_score', (score) => score, timeoutMs);
      });
    }),
  );
}

/** The rows of one table nearest to a vector; exact unless there are more than `exactBelow` to compare. */
export async function searchNearest(
  table: LanceTable,
  query: VectorQuery,
  exactBelow: number,
  timeoutMs: number,
): Promise<ScoredChunkId[]> {
  const plan = await table.plan(query.filter);
  if (plan.kind === 'nothing') return [];
  const byIndex = await table.hasMoreChunksThan(exactBelow, plan.kind === 'some' ? plan.share : 1);
  return await bestOf(query.limit, (count) => {
    const nearest = table.table.query().nearestTo(query.vector).distanceType('cosine').limit(count);
    const { perResult, least, refine } = VECTOR_EFFORT;
    if (byIndex) nearest.ef(Math.max(least, count * perResult)).refineFactor(refine);
    else nearest.bypassVectorIndex();
    restrict(nearest, plan);
    return readScored(nearest, '_distance', (distance) => 1 - distance, timeoutMs);
  });
}

/** One list out of several tables' legs: per leg the best `limit` of all tables by score, then by reciprocal ranks. */
export function mergeLegs(answers: readonly ScoredChunkId[][][], limit: number): ScoredChunkId[] {
  const ofLeg = (leg: number): ScoredChunkId[][] => answers.map((answer) => answer[leg] ?? []);
  return mergeByRank(TERM_COLUMNS.map((_, leg) => mergeByScore(ofLeg(leg), limit)));
}

/** Before the search, not after it: the limit counts rows that pass. */
function restrict(query: Query | LanceVectorQuery, plan: FilterPlan): void {
  if (plan.kind === 'some') query.where(plan.where);
}

/** Reads past the limit until what lies at the border is no tie, then orders and cuts. */
async function bestOf(limit: number, read: (count: number) => Promise<ScoredChunkId[]>): Promise<ScoredChunkId[]> {
  for (let border = BORDER; ; border *= 4) {
    const rows = await read(limit + border);
    const tied = rows.length === limit + border && rows[limit - 1]?.score === rows.at(-1)?.score;
    if (!tied || border >= BORDER_MAX) return rows.sort(byScore).slice(0, limit);
  }
}
