import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, SILENT_POLICY } from '../schema/ingestion-policy.entity.js';
import { diffPolicies } from './policy-diff.js';
import { requireValidPolicy } from '../rules/policy-validation.js';

describe('the difference of two policies', () => {
  it('is empty for equal policies', () => {
    expect(diffPolicies(DEFAULT_POLICY, structuredClone(DEFAULT_POLICY))).toEqual([]);
  });

  it('names each field that differs, with both values; a list is one value', () => {
    const later = requireValidPolicy({
      chunking: { chunk_size: 256, separators: ['\n'] },
      governance: { max_bytes: 5 },
    });
    expect(diffPolicies(SILENT_POLICY, later)).toEqual([
      { pointer: '/chunking/chunk_size', op: 'changed', from: 512, to: 256 },
      { pointer: '/chunking/separators', op: 'changed', from: [], to: ['\n'] },
      { pointer: '/governance/max_bytes', op: 'changed', from: null, to: 5 },
    ]);
  });

  it('distinguishes added and removed fields', () => {
    const later = requireValidPolicy({ parsing: { types: { 'text/csv': { charset: null } } } });
    const pointer = '/parsing/types/text~1csv';
    expect(diffPolicies(SILENT_POLICY, later)).toEqual([{ pointer, op: 'added', from: null, to: { charset: null } }]);
    expect(diffPolicies(later, SILENT_POLICY)).toEqual([{ pointer, op: 'removed', from: { charset: null }, to: null }]);
  });
});
