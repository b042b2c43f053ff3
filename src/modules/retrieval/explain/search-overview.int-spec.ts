import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import { BUILTIN_MODELS, createTestDatabase, type TestDatabase, type TestMember } from '#libs/testing';
import { ExplainLab } from '../testing/explain-lab.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import type { SearchOverview, SearchOverviewRequest } from './search-overview.dto.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';
const VALVE = 'A valve of the pump opens at 12 bar.';
const FILTER = 'The filter of the pump is cleaned on Fridays.';
const QUERY = 'When is the hydraulic pump serviced?';

describe('the overview of a search', () => {
  let db: TestDatabase;
  let lab: ExplainLab;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    lab = await ExplainLab.open(db, new MemoryVectorStore(), await createModels(BUILTIN_MODELS));
    dataset = await lab.dataset();
    await lab.document(dataset, [PUMP], { name: 'pump.txt', tags: ['manual'], metadata: { year: 2024 } });
    await lab.document(dataset, [VALVE], { name: 'valve.txt', tags: ['manual'], metadata: { year: 2020 } });
    await lab.document(dataset, [FILTER], { name: 'filter.txt', metadata: { year: 2024 } });
  });
  afterAll(() => db.close());

  const look = (options: Partial<SearchOverviewRequest> = {}, by: TestMember = lab.owner): Promise<SearchOverview> => {
    const request = { query: QUERY, dataset_ids: [dataset], ...options };
    return lab.services.overview.look({ ...by.ctx, requestId: newId() }, request, new AbortController().signal);
  };
  /** The score of the best result by words. */
  const bestByWords = async (): Promise<number> =>
    (await look({ search_method: 'keyword', top_k: 1 })).returned[0]!.score;
  const stagesOf = ({ stages }: SearchOverview): Record<string, number | null> =>
    Object.fromEntries(stages.filter(({ used }) => used).map((stage) => [stage.stage, stage.list_length]));

  it('says what each stage left, by the options that were effective', async () => {
    const overview = await look({ top_k: 2 });
    expect(stagesOf(overview)).toEqual({ scope: 3, keyword: 3, vector: 3, fusion: 3, top_k: 2 });
    expect(overview.stages.find(({ stage }) => stage === 'top_k')).toMatchObject({ limit: 2 });
    const score_threshold = await bestByWords();
    expect(stagesOf(await look({ search_method: 'keyword', score_threshold }))).toEqual({
      scope: 3,
      keyword: 3,
      threshold: 1,
      top_k: 1,
    });
    expect(overview.filters).toBeNull();
    expect(overview.answer).toBeNull();
  });

  it('tells the words that occur nowhere', async () => {
    const { words } = await look({ query: 'Is the turbine serviced?' });
    expect(words).toEqual([
      { word: 'turbine', occurs: false },
      { word: 'serviced', occurs: true },
    ]);
  });

  it('shows what was returned, and what came next', async () => {
    const { returned, nearest } = await look({ top_k: 1 });
    expect(returned).toMatchObject([{ document_name: 'pump.txt', text: PUMP, rank: 1, code: null }]);
    expect(nearest).toMatchObject([
      { rank: 2, code: 'OUTRANKED', unmet_conditions: [] },
      { rank: 3, code: 'OUTRANKED', unmet_conditions: [] },
    ]);
    expect(nearest.map(({ document_name: name }) => name).toSorted()).toEqual(['filter.txt', 'valve.txt']);
  });

  it('counts documents by the conditions of a filter, and names those that kept a passage out', async () => {
    const year = { type: 'eq', key: 'metadata.year', value: 2020 };
    const tag = { type: 'eq', key: 'tags', value: 'manual' };
    const filters = { type: 'and', filters: [year, tag] };
    const { filters: counted, returned, nearest } = await look({ filters });
    expect(counted).toEqual({
      documents: 3,
      is_complete: true,
      documents_met: 1,
      conditions: [
        { pointer: '/filters/filters/0', condition: year, documents_met: 1, documents_removed_alone: 1 },
        { pointer: '/filters/filters/1', condition: tag, documents_met: 2, documents_removed_alone: 0 },
      ],
    });
    expect(returned.map(({ document_name: name }) => name)).toEqual(['valve.txt']);
    expect(
      nearest.map((one) => [one.document_name, one.code, one.unmet_conditions.map(({ pointer }) => pointer)]),
    ).toEqual([
      ['pump.txt', 'METADATA_FILTER', ['/filters/filters/0']],
      ['filter.txt', 'METADATA_FILTER', ['/filters/filters/0', '/filters/filters/1']],
    ]);
  });

  it('names a threshold and the choice among what is alike', async () => {
    const score_threshold = await bestByWords();
    const { returned, nearest } = await look({ search_method: 'keyword', score_threshold });
    expect(returned).toHaveLength(1);
    expect(new Set(nearest.map(({ code }) => code))).toEqual(new Set(['BELOW_SCORE_THRESHOLD']));
    const twins = await lab.dataset();
    await lab.document(twins, [PUMP, `${PUMP} Always.`, VALVE]);
    const varied = await look({ dataset_ids: [twins], top_k: 2, mmr: { lambda: 0.1 } });
    expect(varied.nearest).toMatchObject([{ code: 'MMR_REMOVED' }]);
  });

  it('shows and counts nothing that is in quarantine, deleted or of a dataset that the caller does not see', async () => {
    const own = await lab.dataset('only_me');
    await lab.document(own, ['The hydraulic pump of the director is golden.']);
    const held = await lab.document(dataset, ['The hydraulic pump is secret.'], { name: 'held.txt' });
    await lab.change(held, 'quarantined_at = now()');
    const overview = await look({ filters: { type: 'exists', key: 'language' } });
    expect(overview.filters).toMatchObject({ documents: 3 });
    expect(JSON.stringify(await look())).not.toMatch(/secret|golden|held/);
    for (const by of [lab.colleague, lab.stranger])
      await expect(look({ dataset_ids: [own] }, by)).rejects.toMatchObject({ code: 'datasets.not_found' });
    await expect(look({}, lab.stranger)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });
});
