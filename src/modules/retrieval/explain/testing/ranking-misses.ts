import type { ChunkId, DatasetId } from '#libs/common';
import type { SearchOptionsDto } from '../../request/search-options.dto.js';
import type { ExplainLab, LabQuestion } from '../../testing/explain-lab.js';
import { CANTEEN, INVOICE, PUMP, QUESTION, VALVE, type Miss } from './miss.js';

interface Shelf {
  readonly dataset: DatasetId;
  /** Of one document, in the order of the texts. */
  readonly chunks: readonly ChunkId[];
}

async function shelve(lab: ExplainLab, texts: readonly string[]): Promise<Shelf> {
  const dataset = await lab.dataset();
  return { dataset, chunks: (await lab.document(dataset, texts)).chunks };
}

const MANY = Array.from({ length: 40 }, (_, n) => `Pump number ${n} stands in hall ${n % 7} beside valve ${n * 3}.`);
const ABOUT_PUMPS = [PUMP, 'A pump.', 'The pump is blue.', 'Pumps are serviced.', VALVE, INVOICE, CANTEEN];

function found(
  name: string,
  options: SearchOptionsDto & { readonly top_k?: number },
  expected: LabQuestion['expected'] | 'chunk' | 'document',
): Miss {
  return {
    code: 'RETRIEVED',
    name,
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, ABOUT_PUMPS);
      const named = { chunk: { chunk_id: document.chunks[0]! }, document: { document_id: document.id } };
      return {
        query: QUESTION,
        dataset_ids: [dataset],
        expected: typeof expected === 'string' ? named[expected] : expected,
        ...options,
      };
    },
  };
}

const RETRIEVED: readonly Miss[] = [
  found('for a chunk', {}, 'chunk'),
  found('for a document', {}, 'document'),
  found('for a text in other case', {}, { text: 'HYDRAULIC   pump' }),
  found('for the first of keywords', { search_method: 'keyword', top_k: 1 }, 'chunk'),
  found('by vectors', { search_method: 'vector' }, 'chunk'),
  found(
    'with everything on',
    { rerank: {}, mmr: {}, score_threshold: 0.01, filters: { type: 'exists', key: 'language' } },
    'document',
  ),
];

/** A threshold just above the score of a result. */
function belowThreshold(name: string, options: SearchOptionsDto, place: number, top_k = 10): Miss {
  return {
    code: 'BELOW_SCORE_THRESHOLD',
    name,
    isHelped: true,
    make: async (lab) => {
      const { dataset } = await shelve(lab, ABOUT_PUMPS);
      const search = { query: QUESTION, dataset_ids: [dataset], ...options };
      const { results } = await lab.search({ ...search, top_k: 10 });
      const result = results[place]!;
      return { ...search, top_k, score_threshold: result.score + 1e-6, expected: { chunk_id: result.chunkId } };
    },
  };
}

const THRESHOLDS: readonly Miss[] = [
  belowThreshold('of a keyword search', { search_method: 'keyword' }, 1),
  belowThreshold('of a search by vectors', { search_method: 'vector' }, 1),
  belowThreshold('of a hybrid search', {}, 2),
  belowThreshold('of a weighted sum', { fusion: { method: 'weighted', vector_weight: 0.5 } }, 2),
  belowThreshold('of the reranker', { rerank: {} }, 2),
  belowThreshold('beyond top_k as well', {}, 3, 1),
];

function notAmong(name: string, make: (lab: ExplainLab) => Promise<LabQuestion>, isHelped = false): Miss {
  return { code: 'NOT_IN_CANDIDATES', name, make, isHelped };
}

/** The result at a place, and a search whose lists end before it. */
async function cutBefore(lab: ExplainLab, place: number, options: SearchOptionsDto): Promise<LabQuestion> {
  const { dataset } = await shelve(lab, MANY);
  const search = { query: 'pump in the hall beside the valve', dataset_ids: [dataset], ...options };
  const ranking = await lab.ranking({ ...search, top_k: 40 });
  return { ...search, candidate_k: place, top_k: place, expected: { chunk_id: ranking[place]! } };
}

const NOT_AMONG: readonly Miss[] = [
  notAmong('without a word in common', async (lab) => {
    const { dataset, chunks } = await shelve(lab, [PUMP, VALVE, '合同期限为三年。']);
    return { query: QUESTION, dataset_ids: [dataset], search_method: 'keyword', expected: { chunk_id: chunks[2]! } };
  }),
  notAmong('when the words are in another language', async (lab) => {
    const { dataset, chunks } = await shelve(lab, [PUMP, 'Насос обслуживают каждые 500 часов.']);
    return {
      query: 'hydraulic pump technician',
      dataset_ids: [dataset],
      search_method: 'keyword',
      expected: { chunk_id: chunks[1]! },
    };
  }),
  notAmong('behind the candidates of keywords', (lab) => cutBefore(lab, 5, { search_method: 'keyword' }), true),
  notAmong('behind the candidates of vectors', (lab) => cutBefore(lab, 3, { search_method: 'vector' }), true),
  notAmong('behind the only candidate', (lab) => cutBefore(lab, 1, { search_method: 'keyword' }), true),
  notAmong('far behind the candidates', (lab) => cutBefore(lab, 30, { search_method: 'vector' }), true),
  notAmong('of a whole document without a word in common', async (lab) => {
    const { dataset } = await shelve(lab, [PUMP]);
    const other = await lab.document(dataset, ['合同期限为三年', 'สัญญาเช่า'], { name: '其他.txt' });
    return {
      query: 'hydraulic technician',
      dataset_ids: [dataset],
      search_method: 'keyword',
      expected: { document_id: other.id },
    };
  }),
];

/** A result behind `top_k` in every list. */
function outranked(name: string, options: SearchOptionsDto, top_k: number, place: number): Miss {
  return {
    code: 'OUTRANKED',
    name,
    isHelped: true,
    make: async (lab) => {
      const { dataset } = await shelve(lab, MANY);
      const search = { query: 'pump number 7 in hall 3', dataset_ids: [dataset], ...options };
      const { results } = await lab.search({ ...search, top_k: 40 });
      const result = results
        .slice(place)
        .find(({ ranks }) => [ranks.keyword, ranks.vector].every((rank) => rank === null || rank > top_k))!;
      return { ...search, top_k, expected: { chunk_id: result.chunkId } };
    },
  };
}

const OUTRANKED: readonly Miss[] = [
  outranked('by keywords', { search_method: 'keyword' }, 1, 1),
  outranked('by vectors', { search_method: 'vector' }, 2, 4),
  outranked('in hybrid', {}, 3, 8),
  outranked('in a weighted sum', { fusion: { method: 'weighted', vector_weight: 0.3 } }, 2, 10),
  outranked('with reranking', { rerank: { top_n: 40 } }, 1, 20),
  {
    code: 'OUTRANKED',
    name: 'beyond what is reranked',
    isHelped: true,
    make: async (lab) => {
      const { dataset } = await shelve(lab, MANY);
      const search = { query: 'pump number 7 in hall 3', dataset_ids: [dataset], search_method: 'keyword' as const };
      const ranking = await lab.ranking({ ...search, top_k: 40 });
      return { ...search, top_k: 2, rerank: { top_n: 4 }, expected: { chunk_id: ranking[6]! } };
    },
  },
];

/** The first repeats the words and is the best by keywords, the second says nothing else and is the nearest. */
const TWO_KINDS = [
  'A pump that is hydraulic is a hydraulic pump, and a pump.',
  'Pump hydraulic',
  'Hydraulics pumping',
  'The pumps of hydraulic presses',
];

/** The best of one channel, ranked by the other alone. */
function demoted(name: string, query: string, texts: readonly string[], best: 'keyword' | 'vector', top_k = 1): Miss {
  return {
    code: 'FUSION_DEMOTED',
    name,
    isHelped: true,
    make: async (lab) => {
      const { dataset } = await shelve(lab, texts);
      const search = { query, dataset_ids: [dataset] };
      const fusion = { vector_weight: best === 'keyword' ? 1 : 0 };
      const first = (await lab.ranking({ ...search, search_method: best, top_k })).at(-1)!;
      const others = await lab.ranking({ ...search, fusion, top_k });
      if (others.includes(first)) throw new Error(`Both channels rank it alike: ${name}.`);
      return { ...search, fusion, top_k, expected: { chunk_id: first } };
    },
  };
}

const FUSION: readonly Miss[] = [
  demoted('of the best of keywords', 'hydraulic pump', TWO_KINDS, 'keyword'),
  demoted('of the nearest', 'hydraulic pump', TWO_KINDS, 'vector'),
  demoted(
    'of the best of keywords for a question',
    'is it the hydraulic pump?',
    [CANTEEN, INVOICE, ...TWO_KINDS],
    'keyword',
  ),
  demoted('of the nearest to a question', 'is it the hydraulic pump?', [CANTEEN, INVOICE, ...TWO_KINDS], 'vector'),
  demoted(
    'of the best of keywords among much else',
    'When is the hydraulic pump serviced and who does it?',
    [...TWO_KINDS, VALVE],
    'keyword',
  ),
];

/** A reranker that reads fewer than are wanted, or that thinks otherwise. */
function reranked(
  name: string,
  top_n: number,
  top_k: number,
  place: number,
  search_method: 'keyword' | 'hybrid' | 'vector',
): Miss {
  return {
    code: 'RERANK_DEMOTED',
    name,
    isHelped: true,
    make: async (lab) => {
      const { dataset } = await shelve(lab, ABOUT_PUMPS);
      const search = { query: QUESTION, dataset_ids: [dataset], search_method, top_k };
      const ranking = await lab.ranking(search);
      return { ...search, rerank: { top_n }, expected: { chunk_id: ranking[place]! } };
    },
  };
}

const RERANK: readonly Miss[] = [
  reranked('when one is read', 1, 3, 1, 'keyword'),
  reranked('when two are read', 2, 4, 2, 'hybrid'),
  reranked('when one is read of vectors', 1, 2, 1, 'vector'),
  reranked('when two are read of vectors', 2, 5, 4, 'vector'),
  {
    code: 'RERANK_DEMOTED',
    name: 'when it thinks less of the first',
    isHelped: true,
    make: async (lab) => {
      const { dataset } = await shelve(lab, TWO_KINDS);
      const search = { query: 'pumps hydraulics', dataset_ids: [dataset], top_k: 1 };
      const [first] = await lab.ranking(search);
      const [other] = await lab.ranking({ ...search, rerank: {} });
      if (first !== other) return { ...search, rerank: {}, expected: { chunk_id: first! } };
      throw new Error('The reranker thinks like the search.');
    },
  },
];

/** Texts that repeat the best one, and one that does not. */
function repeated(name: string, options: SearchOptionsDto, lambda: number): Miss {
  return {
    code: 'MMR_REMOVED',
    name,
    isHelped: true,
    make: async (lab) => {
      const texts = [PUMP, `${PUMP} Really.`, `Note: ${PUMP}`, 'Serviced by whom?', CANTEEN];
      const { dataset } = await shelve(lab, texts);
      const search = { query: QUESTION, dataset_ids: [dataset], ...options, top_k: 2 };
      const plain = await lab.ranking(search);
      const diverse = await lab.ranking({ ...search, mmr: { lambda } });
      const removed = plain.find((id) => !diverse.includes(id));
      if (removed === undefined) throw new Error(`Nothing is removed: ${name}.`);
      return { ...search, mmr: { lambda }, expected: { chunk_id: removed } };
    },
  };
}

const DIVERSITY: readonly Miss[] = [
  repeated('of what repeats the best', {}, 0.1),
  repeated('of what repeats the best, by keywords', { search_method: 'keyword' }, 0.1),
  repeated('of what repeats the best, by vectors', { search_method: 'vector' }, 0.1),
  repeated('where difference alone counts', {}, 0),
  repeated('of what repeats the best, reranked', { rerank: {} }, 0.1),
];

/** What could be found, and others were taken. */
export const RANKING_MISSES: readonly Miss[] = [
  ...RETRIEVED,
  ...THRESHOLDS,
  ...NOT_AMONG,
  ...OUTRANKED,
  ...FUSION,
  ...RERANK,
  ...DIVERSITY,
];
