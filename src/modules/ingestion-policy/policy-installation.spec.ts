import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { PolicyInstallation } from './policy-installation.js';
import { describedModels } from './testing/policy-services.js';

describe('PolicyInstallation', () => {
  const problem = { pointer: '/rerank/provider', code: 'not_available', detail: 'not available' };
  const installation = new PolicyInstallation(describedModels(), {
    problemsOf: ({ rerank }) => (rerank?.provider === 'gone' ? [problem] : []),
  });

  it('refuses models and search options that the installation does not have, all at once, by their places', () => {
    const policy = {
      ...DEFAULT_POLICY,
      embedding: { model: 'gone' },
      retrieval_defaults: { rerank: { provider: 'gone' } },
    };
    expect(() => installation.require(policy)).toThrow(
      expect.objectContaining({
        status: 400,
        errors: [
          { pointer: '/embedding/model', code: 'unknown_model', detail: expect.stringContaining('other') },
          { ...problem, pointer: '/retrieval_defaults/rerank/provider' },
        ],
      }),
    );
  });

  it('gives the embedding model of a policy that it can carry out', () => {
    const embedding = { provider: 'builtin', model: 'other', dimensions: 3 };
    const policy = { ...DEFAULT_POLICY, embedding: { model: 'other' } };
    expect(installation.require(policy)).toEqual({ space: 'other', embedding });
  });
});
