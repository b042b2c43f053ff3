import type { JsonObject } from '#libs/common';
import { mergeByRank, mergeByScore, mergeBySum } from '../merge-candidates.js';
import type { Filter } from '../../filter.js';
import type { KeywordQuery, ScoredChunkId, VectorQuery } from '../../vector-store.port.js';
import type { EngineApi, EngineSearch, SearchAnswer } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import type { EngineDialect } from './engine-dialect.js';
import { filterQuery } from './filter-query.js';
import { decimals, HAS_VECTOR_FIELD, KEY_FIELD, parseRowKey, TERM_FIELDS, VECTOR_FIELD } from './index-layout.js';
import { safeTerm } from './safe-term.js';

/**
 * Terms of one query. OpenSearch takes 1,024 clauses, filters included, and counts each term as one; a longer question becomes
 * several queries whose scores are summed.
 */
const TERMS_PER_QUERY = 512;
/** Rows that engines give at once, and vectors that they compare per shard. */
const RESULTS_MOST = 10_000;
/** Up to this many rows per index all vectors are compared. */
export const EXACT_VECTORS_BELOW = 10_000;
/** Rows counted some seconds ago may have grown: an index is compared whole as if it held this many more. */
const GROWTH = { factor: 1.5, least: 1_000 };
/** Candidates that the graph of a larger index weighs per result asked, at least the second figure. */
const GRAPH_EFFORT = { perResult: 3, least: 200 };

/** The searches of a keyword query: per leg one for each part of its terms. */
export function keywordSearches(indexes: readonly string[], query: KeywordQuery): EngineSearch[][] {
  return TERM_FIELDS.map((field) =>
    parts([...new Set(query.terms[field])].map(safeTerm)).map((terms) => ({
      indexes,
      isGlobal: indexes.length > 1,
      body: candidateBody(
        {
          bool: {
            must: [{ match: { [field]: { query: terms.join(' '), operator: 'or' } } }],
            filter: filters(query.filter),
          },
        },
        query.limit,
      ),
    })),
  );
}

/**
 * The searches of a vector query: one over the indexes that are compared whole, one over those too large for it. Comparing whole
 * is asking for more candidates than there are rows, under a filter that all of them pass: then no graph is walked.
 */
export function vectorSearches(
  rows: ReadonlyMap<string, number>,
  query: VectorQuery,
  dialect: EngineDialect,
): EngineSearch[] {
  const [small, large] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, count] of rows) (count <= EXACT_VECTORS_BELOW ? small : large).set(index, count);
  const vector = decimals(query.vector);
  const passing = [{ term: { [HAS_VECTOR_FIELD]: true } }, ...filters(query.filter)];
  const search = (indexes: Iterable<string>, candidates: number): EngineSearch => ({
    indexes: [...indexes],
    body: candidateBody(
      dialect.nearest(VECTOR_FIELD, vector, Math.min(RESULTS_MOST, Math.ceil(candidates)), passing),
      query.limit,
    ),
  });
  const searches: EngineSearch[] = [];
  if (small.size > 0) {
    searches.push(search(small.keys(), GROWTH.factor * Math.max(...small.values()) + GROWTH.least));
  }
  if (large.size > 0) {
    searches.push(search(large.keys(), Math.max(GRAPH_EFFORT.least, query.limit * GRAPH_EFFORT.perResult)));
  }
  return searches;
}

/** Asks the legs of a keyword query together. */
export async function searchLegs(
  api: EngineApi,
  call: EngineCall,
  indexes: readonly string[],
  query: KeywordQuery,
): Promise<ScoredChunkId[]> {
  const legs = keywordSearches(indexes, query);
  const answers = await api.searchAll(call, legs.flat());
  let next = 0;
  return mergeByRank(
    legs.map((searches) => {
      const found = searches.map(() => scoredRows(answers[next++]!, (score) => score));
      return found.length === 1 ? found[0]! : mergeBySum(found, query.limit);
    }),
  );
}

/** Asks for the nearest rows; the engines' score of a cosine is (1 + cosine) / 2. */
export async function searchNearest(
  api: EngineApi,
  call: EngineCall,
  rows: ReadonlyMap<string, number>,
  query: VectorQuery,
  dialect: EngineDialect,
): Promise<ScoredChunkId[]> {
  const answers = await api.searchAll(call, vectorSearches(rows, query, dialect));
  return mergeByScore(
    answers.map((answer) => scoredRows(answer, (score) => 2 * score - 1)),
    query.limit,
  );
}

/** A hit is nothing but its score and its key, so the engine reads no document. */
function candidateBody(query: JsonObject, limit: number): JsonObject {
  return {
    query,
    size: Math.min(RESULTS_MOST, limit),
    sort: ['_score', { [KEY_FIELD]: 'asc' }],
    _source: false,
    stored_fields: '_none_',
    track_total_hits: false,
  };
}

function filters(filter: Filter | undefined): JsonObject[] {
  return filter === undefined ? [] : [filterQuery(filter)];
}

function scoredRows(answer: SearchAnswer, toScore: (score: number) => number): ScoredChunkId[] {
  return (answer.hits?.hits ?? []).map(({ sort }) => ({
    ...parseRowKey(String(sort[1])),
    score: toScore(Number(sort[0])),
  }));
}

function parts(terms: readonly string[]): string[][] {
  const cut: string[][] = [];
  for (let start = 0; start < terms.length; start += TERMS_PER_QUERY)
    cut.push(terms.slice(start, start + TERMS_PER_QUERY));
  return cut;
}
