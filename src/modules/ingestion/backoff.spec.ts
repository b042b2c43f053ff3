import { describe, expect, it } from 'vitest';
import { aiErrors } from '#libs/ai';
import { vectorStoreErrors } from '#libs/vector-store';
import { meansLater } from './backoff.js';

describe('an error', () => {
  it('means later when it is a 429 or a 503, and nothing else does', () => {
    expect(meansLater(aiErrors.provider_unavailable({ provider: 'p', model: 'm' }))).toBe(true);
    expect(meansLater(vectorStoreErrors.unavailable({ operation: 'write', reason: 'x' }))).toBe(true);
    expect(meansLater(aiErrors.batch_too_large({ given: 2, max: 1 }))).toBe(false);
    expect(meansLater(new Error('503'))).toBe(false);
  });
});
