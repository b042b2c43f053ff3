import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../ingestion-policy/index.js';
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
  models: { wanted: 'hashing-v1', named: null, isSearched: true },
  cutBy: null,
  rescaledThreshold: null,
  isCutAsBefore: false,
};
const INDEX = { expected_rows: 1, stored_rows: 1, parity: 'complete' } as unknown as Parameters<typeof adviceFor>[2];
const codes = (aging: Partial<Aging>): string[] =>
  adviceFor(ROW, { ...AGING, ...aging }, INDEX, 1).map(({ code }) => code);

describe('advice about chunks', () => {
  it('offers the new default to a dataset that has the former one, which stays healthy', () => {
    expect(codes({ isCutAsBefore: true })).toEqual(['CHUNKING_DEFAULT_CHANGED']);
    expect(isHealthy(adviceFor(ROW, { ...AGING, isCutAsBefore: true }, INDEX, 1))).toBe(true);
    expect(codes({})).toEqual([]);
  });

  it('leaves other faults faults', () => {
    expect(isHealthy(adviceFor({ ...ROW, failed: 1 }, { ...AGING, isCutAsBefore: true }, INDEX, 1))).toBe(false);
  });

  it('is given for the former default alone', () => {
    const former = { ...DEFAULT_POLICY.chunking, strategy: 'recursive' as const };
    expect(isFormerDefault(former)).toBe(true);
    expect(isFormerDefault(DEFAULT_POLICY.chunking)).toBe(false);
    expect(isFormerDefault({ ...former, chunk_size: 256 })).toBe(false);
  });
});
