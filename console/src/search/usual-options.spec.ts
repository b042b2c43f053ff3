import { describe, expect, it } from 'vitest';
import { usualValue } from './usual-options.js';

describe('what is usual where a dataset says nothing', () => {
  it('is less in an answer than in a search', () => {
    expect(usualValue('top_k', 'search')).toBe('10');
    expect(usualValue('top_k', 'chat')).toBe('8');
  });

  it('is said of what has one value everywhere alone', () => {
    expect(usualValue('rerank.enabled', 'chat')).toBe('false');
    expect(usualValue('fusion.vector_weight', 'search')).toBeUndefined();
  });
});
