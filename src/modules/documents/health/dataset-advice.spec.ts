import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import { adviceFor, isFormerDefault, isHealthy, type Aging } from './dataset-advice.js';
import type { HealthRow } from './dataset-health.repository.js';

const ROW: HealthRow = {
  pending: 0,
  processing: 0,
  completed: 1,
  failed: 0,
  quarantined: 0,
  cancelled: 0,
  total: 1,
  chunks: 1,
  without_chunks: 0,
} as HealthRow;
const AGING: Aging = {
  stale: { policy: 0, embedding: 0, fit: 0 },
  models: { wanted: 'hashing-v1', named: null, isSearched: true, isFormer: false },
  cutBy: null,
  rescaledThreshold: null,
  isCutAsBefore: false,
};
const INDEX = { expected_rows: 1, stored_rows: 1, parity: 'complete' } as unknown as Parameters<typeof adviceFor>[2];
const codes = (aging: Partial<Aging>): string[] =>
  adviceFor(ROW, { ...AGING, ...aging }, INDEX, 1).map(({ code }) => code);

describe('advice about chunks', () => {
  it('offers the new default to a dataset with the former one, and the dataset stays healthy', () => {
    expect(codes({ isCutAsBefore: true })).toEqual(['CHUNKING_DEFAULT_CHANGED']);
    expect(isHealthy(adviceFor(ROW, { ...AGING, isCutAsBefore: true }, INDEX, 1))).toBe(true);
    expect(codes({})).toEqual([]);
  });

  it.each([
    [
      'EMBEDDING_DEFAULT_CHANGED',
      { stale: { policy: 0, embedding: 1, fit: 0 }, models: { ...AGING.models, isFormer: true } },
    ],
    ['CHUNKS_LONGER_THAN_MODEL', { cutBy: { model: 'small', reads: 256, chunkSize: 512 } }],
    ['SCORE_THRESHOLD_RESCALED', { rescaledThreshold: 0.3 }],
  ])('gives %s for a dataset that an upgrade does not change, which stays healthy', (code, aging) => {
    expect(codes(aging)).toEqual([code]);
    expect(isHealthy(adviceFor(ROW, { ...AGING, ...aging }, INDEX, 1))).toBe(true);
  });

  it.each([
    ['STALE_EMBEDDING', { stale: { policy: 0, embedding: 1, fit: 0 } }],
    ['STALE_POLICY', { stale: { policy: 1, embedding: 0, fit: 0 } }],
    ['CHUNKS_FIT_ANOTHER_MODEL', { stale: { policy: 0, embedding: 0, fit: 1 } }],
    ['EMBEDDING_MODEL_MISSING', { models: { ...AGING.models, wanted: null, named: 'gone' } }],
  ])('gives %s for a dataset that does not match its policy', (code, aging) => {
    expect(codes(aging)).toEqual([code]);
    expect(isHealthy(adviceFor(ROW, { ...AGING, ...aging }, INDEX, 1))).toBe(false);
  });

  it.each([
    [1, /^1 document was embedded by another model/],
    [2, /^2 documents were embedded by another model/],
  ])('writes singular and plural for %i', (embedding, words) => {
    const aging = { ...AGING, stale: { policy: 0, embedding, fit: 0 } };
    expect(adviceFor(ROW, aging, INDEX, 1)[0]?.detail).toMatch(words);
  });

  it('does not hide other faults', () => {
    expect(isHealthy(adviceFor({ ...ROW, failed: 1 }, { ...AGING, isCutAsBefore: true }, INDEX, 1))).toBe(false);
  });

  it('is given only for the former default', () => {
    const former = { ...DEFAULT_POLICY.chunking, strategy: 'recursive' as const };
    expect(isFormerDefault(former)).toBe(true);
    expect(isFormerDefault(DEFAULT_POLICY.chunking)).toBe(false);
    expect(isFormerDefault({ ...former, chunk_size: 256 })).toBe(false);
  });
});
