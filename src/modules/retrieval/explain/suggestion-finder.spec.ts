import { describe, expect, it } from 'vitest';
import type { SearchRequest } from '../search/retrieval.service.js';
import type { Proposal } from './proposals.js';
import { SuggestionFinder, type FoundPlace, type Replay } from './suggestion-finder.js';

const REQUEST = { query: 'larch cabin', dataset_ids: ['cabins'], top_k: 10 } as unknown as SearchRequest;
const WIDER: Proposal = { action: 'RAISE_TOP_K', change: {} };
const WORDS: Proposal = { action: 'CHANGE_SEARCH_METHOD', change: { search_method: 'keyword' } };
const MEANING: Proposal = { action: 'CHANGE_SEARCH_METHOD', change: { search_method: 'vector' } };
const RERANK: Proposal = { action: 'SWITCH_RERANK_ON', change: { rerank: { enabled: true } } };

const at = (rank: number, isRefused: boolean | null = null): FoundPlace => ({ rank, score: 0.5, isRefused });

/** The excerpt is the twentieth, the fourth by words, the ninth by meaning, and the first once the best are compared again. */
function replayOf(isRefused: (request: SearchRequest) => boolean | null = () => null): Replay {
  return (request) => {
    const rank =
      request.rerank !== undefined ? 1 : { keyword: 4, vector: 9, hybrid: 20 }[request.search_method ?? 'hybrid'];
    return Promise.resolve(rank <= (request.top_k ?? 10) ? at(rank, isRefused(request)) : undefined);
  };
}

async function actionsOf(replay: Replay, proposals: readonly Proposal[]) {
  const finder = new SuggestionFinder(REQUEST, replay, {});
  await finder.tryAll(proposals);
  return finder.suggestions;
}

describe('SuggestionFinder', () => {
  it('puts first what brings the excerpt to the front, and last what only returns more', async () => {
    const suggestions = await actionsOf(replayOf(), [WIDER, MEANING, WORDS, RERANK]);
    expect(suggestions.map(({ change, rank }) => [change, rank])).toEqual([
      [RERANK.change, 1],
      [WORDS.change, 4],
      [MEANING.change, 9],
      [{ top_k: 20 }, 20],
    ]);
  });

  it('puts what lets the question be answered before what brings the excerpt further to the front', async () => {
    const replay = replayOf(({ search_method: method }) => method !== 'vector');
    const suggestions = await actionsOf(replay, [WIDER, WORDS, RERANK, MEANING]);
    expect(suggestions.map(({ rank, is_refused: isRefused }) => [rank, isRefused])).toEqual([
      [9, false],
      [1, true],
      [4, true],
      [20, true],
    ]);
  });

  it('tries all before it keeps the best five', async () => {
    const methods = [5, 6, 7, 8, 9].map((lambda): Proposal => ({
      action: 'SWITCH_MMR_OFF',
      change: { mmr: { lambda } },
    }));
    const replay: Replay = ({ mmr, rerank }) => Promise.resolve(at(rerank === undefined ? (mmr?.lambda ?? 10) : 1));
    const suggestions = await actionsOf(replay, [...methods, RERANK]);
    expect(suggestions.map(({ rank }) => rank)).toEqual([1, 5, 6, 7, 8]);
  });

  it('does not ask for an answer where it only looks for the place', async () => {
    const asked: (readonly [number | undefined, boolean])[] = [];
    const replay: Replay = (request, isForPlace) => {
      asked.push([request.top_k, isForPlace]);
      return replayOf()(request, isForPlace);
    };
    await actionsOf(replay, [WIDER]);
    expect(asked).toEqual([
      [100, true],
      [20, false],
    ]);
  });
});
