import { describe, expect, it } from 'vitest';
import { RequestValidationPipe } from '#libs/http';
import { SearchRequestDto } from './search-request.dto.js';

const DATASET = '01890000-0000-7000-8000-000000000001';
const valid = { query: 'notice period', dataset_ids: [DATASET] };
const check = (body: unknown): Promise<unknown> =>
  new RequestValidationPipe().transform(body, { type: 'body', metatype: SearchRequestDto });

describe('the body of a search', () => {
  it('may hold every option', async () => {
    const body = {
      ...valid,
      top_k: 100,
      search_method: 'vector',
      candidate_k: 1000,
      fusion: { method: 'weighted', k: 1, vector_weight: 0.5 },
      score_threshold: 1,
      rerank: { enabled: true, provider: 'builtin', top_n: 5 },
      mmr: { lambda: 0 },
      filters: { type: 'eq', key: 'metadata.a', value: 'x' },
      query_expansion: 'none',
      expand: 'none',
      use_kg: false,
      include: ['text'],
    };
    await expect(check(body)).resolves.toMatchObject(body);
  });

  it.each<[string, object, string]>([
    ['no query', { query: undefined }, '/query'],
    ['white space', { query: ' \n\t\u3000' }, '/query'],
    ['a query that is too long', { query: 'x'.repeat(4097) }, '/query'],
    ['a query that is no text', { query: 5 }, '/query'],
    ['no datasets', { dataset_ids: [] }, '/dataset_ids'],
    ['too many datasets', { dataset_ids: new Array(51).fill(DATASET) }, '/dataset_ids'],
    ['an id that is none', { dataset_ids: ['x'] }, '/dataset_ids'],
    ['no results', { top_k: 0 }, '/top_k'],
    ['too many results', { top_k: 101 }, '/top_k'],
    ['a number as text', { top_k: '10' }, '/top_k'],
    ['null', { top_k: null }, '/top_k'],
    ['too many candidates', { candidate_k: 1001 }, '/candidate_k'],
    ['a threshold above 1', { score_threshold: 1.1 }, '/score_threshold'],
    ['an unknown method', { search_method: 'magic' }, '/search_method'],
    ['fusion that is no object', { fusion: [] }, '/fusion'],
    ['an unknown fusion', { fusion: { method: 'sum' } }, '/fusion/method'],
    ['a constant of 0', { fusion: { k: 0 } }, '/fusion/k'],
    ['a weight above 1', { fusion: { vector_weight: 2 } }, '/fusion/vector_weight'],
    ['an unknown field inside', { mmr: { alpha: 1 } }, '/mmr/alpha'],
    ['an unknown field', { topk: 3 }, '/topk'],
    ['an unknown part', { include: ['vectors'] }, '/include'],
    ['a part twice', { include: ['text', 'text'] }, '/include'],
    ['filters that are a list', { filters: [] }, '/filters'],
  ])('may not hold %s', async (_what, change, pointer) => {
    const refused = { status: 422, errors: expect.arrayContaining([expect.objectContaining({ pointer })]) };
    await expect(check({ ...valid, ...change })).rejects.toMatchObject(refused);
  });

  it('takes a query of 4,096 characters and 50 datasets', async () => {
    await expect(check({ query: 'x'.repeat(4096), dataset_ids: new Array(50).fill(DATASET) })).resolves.toBeDefined();
  });
});
