import { Injectable } from '@nestjs/common';
import { inTurns, type Steps } from '#libs/common';
import { decodeWords, shareOfCommonWords, type EncodedLeg } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { Ranked } from '../ranking/ranking.js';
import type { SearchPlan } from '../results/search-plan.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { Scoring } from '../candidates/scoring.js';
import { ENOUGH_WORDS } from './second-look.service.js';

/** Number of first results that are ordered, as far as words found them; regardless of `top_k`, so that fewer results are a prefix of more. */
const ORDERED = 20;
/** Number of first results whose words are taken together. */
const BEST = 10;
/** Words do not tell results apart where the tenth holds at least this share of what the first holds of the question. */
const FLAT = 0.4;
/** What the common words count beside the score, as a share of the greatest of both. */
const COMMON = 0.3;

/**
 * Orders the first results by what they have in common, where the words of the question do not tell them apart: a question of many words about a
 * subject, which many chunks treat, is answered best by those that are in the middle of it. A question about a fact has one chunk that is ahead of all others, and
 * keeps its order.
 */
@Injectable()
export class CommonWords {
  constructor(private readonly repository: RetrievalRepository) {}

  async order(
    ctx: RequestContext,
    { options, signal }: SearchPlan,
    { statistics }: Scoring,
    ranked: readonly Ranked<ScopedCandidate>[],
  ): Promise<readonly Ranked<ScopedCandidate>[]> {
    if (!isPlain(options) || !areFlat(ranked.slice(0, BEST))) return ranked;
    const others = ranked.findIndex(({ item }) => (item.keyword ?? 0) === 0);
    const first = ranked.slice(0, others < 0 ? ORDERED : Math.min(ORDERED, others));
    const words = await this.read(ctx, first);
    signal.throwIfAborted();
    // A chunk that is gone is left to the next step, which tells of it.
    if (words.some((one) => one === undefined)) return ranked;
    const greatest = first[0]!.score;
    const weighed = first.map(({ score }, at) => ({
      words: words[at]!,
      weight: at < BEST ? (score / greatest) ** 2 : 0,
    }));
    const shares = shareOfCommonWords(weighed, statistics);
    const values = first.map(({ score }, at) => score / greatest + COMMON * shares[at]!);
    const order = first.map((_, at) => at).sort((a, b) => values[b]! - values[a]! || a - b);
    // They share out the scores that they had: what is first has the greatest.
    const ordered = order.map((at, place) => ({ ...first[at]!, score: first[place]!.score }));
    return [...ordered, ...ranked.slice(first.length)];
  }

  /** The words of each chunk; undefined for one that is gone. */
  private async read(
    ctx: RequestContext,
    first: readonly Ranked<ScopedCandidate>[],
  ): Promise<(EncodedLeg | undefined)[]> {
    const ids = first.map(({ item }) => item.id);
    const rows = await this.repository.listWords(ctx, ids);
    const found = ids.map((): EncodedLeg | undefined => undefined);
    const decode = function* (): Steps<void> {
      for (const { place, terms } of rows) {
        found[place - 1] = decodeWords(Buffer.from(terms, 'base64'));
        yield;
      }
    };
    await inTurns(decode(), { party: ctx.tenantId });
    return found;
  }
}

/** Whether nothing else orders the results, and the request names no share of the vectors. */
function isPlain({ searchMethod, fusion, mmr, bySpace, graph, expansion }: SearchPlan['options']): boolean {
  const isFused = searchMethod === 'hybrid' && fusion.method === 'weighted' && fusion.byTrust;
  return isFused && mmr === null && bySpace === undefined && graph === undefined && expansion === undefined;
}

/** Whether words find the best ones, and none of them much better than the others. */
function areFlat(best: readonly Ranked<ScopedCandidate>[]): boolean {
  const held = best.map(({ item }) => item.keyword ?? 0);
  const most = Math.max(...held);
  return best.length === BEST && most >= ENOUGH_WORDS && Math.min(...held) >= FLAT * most;
}
