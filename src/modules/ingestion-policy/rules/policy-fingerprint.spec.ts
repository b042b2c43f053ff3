import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../schema/ingestion-policy.entity.js';
import { fingerprintOf } from './policy-fingerprint.js';

describe('the fingerprint of a policy', () => {
  it('does not depend on the order of fields', () => {
    const reversed = Object.fromEntries(Object.entries(DEFAULT_POLICY).reverse()) as unknown as typeof DEFAULT_POLICY;
    expect(fingerprintOf(reversed)).toBe(fingerprintOf(DEFAULT_POLICY));
  });

  it('changes with any value', () => {
    const smaller = { ...DEFAULT_POLICY, chunking: { ...DEFAULT_POLICY.chunking, chunk_size: 511 } };
    expect(fingerprintOf(smaller)).not.toBe(fingerprintOf(DEFAULT_POLICY));
  });
});
