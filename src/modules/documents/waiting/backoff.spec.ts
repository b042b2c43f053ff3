import { describe, expect, it } from 'vitest';
import { aiErrors, ModelFailure } from '#libs/ai';
import { vectorStoreErrors } from '#libs/vector-store';
import { laterErrorOf } from './backoff.js';

describe('an error', () => {
  it('postpones a call only if it is a 429 or a 503', () => {
    const failure = { provider: 'p', model: 'm' };
    expect(laterErrorOf(aiErrors.provider_unavailable(failure))).toBeDefined();
    expect(laterErrorOf(new ModelFailure({ ...failure, kind: 'rate_limited', retryAfterMs: 7_000 }))).toMatchObject({
      code: 'ai.provider_unavailable',
      retryAfter: 7,
    });
    expect(laterErrorOf(new ModelFailure({ ...failure, kind: 'rejected' }))).toBeUndefined();
    expect(laterErrorOf(vectorStoreErrors.unavailable({ operation: 'write', reason: 'x' }))).toBeDefined();
    expect(laterErrorOf(aiErrors.batch_too_large({ given: 2, max: 1 }))).toBeUndefined();
    expect(laterErrorOf(new Error('503'))).toBeUndefined();
  });
});
