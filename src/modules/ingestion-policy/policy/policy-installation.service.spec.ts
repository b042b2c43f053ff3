import { describe, expect, it } from 'vitest';
import { InstalledModels, ModelList, type ChatModel } from '#libs/ai';
import { DEFAULT_POLICY } from '../schema/ingestion-policy.entity.js';
import { PolicyInstallation } from './policy-installation.service.js';
import { describedModels } from '../testing/policy-services.js';

describe('PolicyInstallation', () => {
  const problem = { pointer: '/rerank/provider', code: 'not_available', detail: 'not available' };
  const installation = new PolicyInstallation(describedModels(), {
    problemsOf: ({ rerank }) => (rerank?.provider === 'gone' ? [problem] : []),
  });

  it('refuses models and search options that the installation does not have, all in one error with their pointers', () => {
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

  it.each([
    [1_000, 1_001, ['/enrichment/max_tokens']],
    [1_000, 1_000, []],
    [8_000, 4_096, []],
  ])(
    'with a chat model that writes at most %i tokens, %i requested tokens are refused: %j',
    (maxOutputTokens, max_tokens, pointers) => {
      const descriptor = { provider: 'openai', model: 'writer', kind: 'generative', maxOutputTokens };
      const { embedders, rerankers } = describedModels();
      const models = new InstalledModels(embedders, rerankers, new ModelList({ descriptor } as unknown as ChatModel));
      const policy = { ...DEFAULT_POLICY, enrichment: { context: 'llm' as const, max_tokens } };
      const problems = new PolicyInstallation(models, { problemsOf: () => [] }).problemsOf(policy);
      expect(problems.map(({ pointer }) => pointer)).toEqual(pointers);
      for (const { code, detail } of problems) {
        expect(code).toBe('above_model_limit');
        expect(detail).toContain(`at most ${maxOutputTokens}, the maximum number of tokens that writer writes`);
      }
    },
  );

  it.each([
    ['other', 'other', 3, 'other'],
    ['test-model', 'test-model', 8, 'test-space'],
    ['builtin-test-model', 'test-model', 8, 'test-space'],
  ])('finds the embedding model that a policy names %s', (name, model, dimensions, space) => {
    const policy = { ...DEFAULT_POLICY, embedding: { model: name } };
    expect(installation.require(policy)).toEqual({ space, embedding: { provider: 'builtin', model, dimensions } });
  });
});
