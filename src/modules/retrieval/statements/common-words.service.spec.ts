import { describe, expect, it } from 'vitest';
import type { RequestContext } from '#libs/tenancy';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import type { Scoring } from '../candidates/scoring.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { Ranked } from '../ranking/ranking.js';
import type { SearchPlan } from '../results/search-plan.js';
import type { RetrievalRepository } from '../rows/retrieval.repository.js';
import { CommonWords } from './common-words.service.js';

const CTX = { tenantId: 't' } as RequestContext;
const ON_THE_SUBJECT = 'The boundary layer of a plate in hypersonic flow is heated by the shock.';
/** Eleven chunks: all but the second are about one subject. */
const TEXTS = Array.from({ length: 11 }, (_, at) =>
  at === 1 ? 'Plates are painted grey in the yard.' : ON_THE_SUBJECT,
);

interface Given {
  readonly options?: object;
  /** How much of the question the words of each chunk hold, first the best. */
  readonly keyword?: (at: number) => number;
  readonly gone?: number;
}

async function ordered({ options = {}, keyword = () => 0.3, gone }: Given = {}): Promise<[string, number][]> {
  const encoded = TEXTS.map((text) => encodeTerms(analyzeChunk({ text })));
  const statistics = new TermStatistics();
  for (const one of encoded) statistics.add(summarizeTerms([decodeTerms(one)]));
  for (let n = 0; n < 40; n += 1) {
    const other = analyzeChunk({ text: `Invoice ${n} was paid by the tenant.` });
    statistics.add(summarizeTerms([decodeTerms(encodeTerms(other))]));
  }
  const repository = {
    // A database answers in any order.
    listWords: async (_: unknown, ids: readonly string[]) =>
      Promise.resolve(
        ids
          .flatMap((id, at) =>
            Number(id) === gone
              ? []
              : [
                  {
                    place: at + 1,
                    terms: Buffer.from(encoded[Number(id)]!).toString('base64'),
                  },
                ],
          )
          .toReversed(),
      ),
  } as unknown as RetrievalRepository;
  const ranked = TEXTS.map((_, at) => ({ item: { id: String(at), keyword: keyword(at) }, score: (60 - at) / 60 }));
  const asked = {
    options: { searchMethod: 'hybrid', fusion: { method: 'weighted', byTrust: true }, mmr: null, ...options },
    signal: new AbortController().signal,
  } as unknown as SearchPlan;
  const made = await new CommonWords(repository).order(
    CTX,
    asked,
    { statistics } as unknown as Scoring,
    ranked as unknown as Ranked<ScopedCandidate>[],
  );
  return made.map(({ item, score }) => [item.id, score]);
}

const AS_IT_WAS = TEXTS.map((_, at) => [String(at), (60 - at) / 60]);

describe('CommonWords', () => {
  it('puts what is off the subject behind what the first results have in common; the scores stay in their order', async () => {
    const made = await ordered();
    expect(made.map(([id]) => id)).toEqual(['0', '2', '3', '4', '5', '6', '7', '8', '9', '10', '1']);
    expect(made.map(([, score]) => score)).toEqual(AS_IT_WAS.map(([, score]) => score));
  });

  it('leaves what words did not find behind what they found', async () => {
    const made = await ordered({ keyword: (at) => (at < 10 ? 0.3 : 0) });
    expect(made.map(([id]) => id)).toEqual(['0', '2', '3', '4', '5', '6', '7', '8', '9', '1', '10']);
  });

  it.each<[string, Given]>([
    ['one chunk stands out', { keyword: (at) => (at === 0 ? 0.8 : 0.3) }],
    ['words find next to nothing', { keyword: () => 0.05 }],
    ['fewer than ten are found by words', { keyword: (at) => (at < 9 ? 0.3 : 0) }],
    ['words are no part of the search', { options: { searchMethod: 'vector' } }],
    ['words alone are asked', { options: { searchMethod: 'keyword' } }],
    ['the request names the share of the vectors', { options: { fusion: { method: 'weighted', byTrust: false } } }],
    ['lists are fused by rank', { options: { fusion: { method: 'rrf', byTrust: true } } }],
    ['several models are searched', { options: { bySpace: {} } }],
    ['results are to differ from each other', { options: { mmr: { lambda: 0.5 } } }],
    ['the graph orders, too', { options: { graph: {} } }],
    ['the question is expanded', { options: { expansion: {} } }],
    ['a chunk is gone', { gone: 4 }],
  ])('keeps the order where %s', async (_, given) => {
    expect(await ordered(given)).toEqual(AS_IT_WAS);
  });
});
