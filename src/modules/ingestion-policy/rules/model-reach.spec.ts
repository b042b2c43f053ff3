import { describe, expect, it } from 'vitest';
import { EmbedderList, InstalledModels, ModelList, type Embedder } from '#libs/ai';
import { DEFAULT_POLICY, type ChunkingPolicy, type IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { chunksCutBy, moveWarnings, policyWarnings } from './model-reach.js';

const embedder = (model: string, maxInputTokens: number): Embedder =>
  ({ descriptor: { provider: 'local', model, maxInputTokens, space: model } }) as Embedder;
const none = new ModelList(null as never);
const models = new InstalledModels(
  new EmbedderList(embedder('long', 512), [{ id: 'short', model: embedder('short', 256) }]),
  none,
  none,
);
const policyOf = (chunking: Partial<ChunkingPolicy>, model?: string): IngestionPolicy => ({
  ...DEFAULT_POLICY,
  chunking: { ...DEFAULT_POLICY.chunking, ...chunking },
  embedding: model === undefined ? {} : { model },
});
const codes = (warnings: readonly { readonly code: string }[]): string[] => warnings.map(({ code }) => code);

describe('the maximum that a model reads of a chunk', () => {
  it.each([
    [{ chunk_size: 257 }, 257],
    [{ chunk_size: 256 }, null],
    [{ chunk_size: 512, fit_model: true }, null],
    [{ chunk_size: 512, fit_model: false }, 512],
    [{ chunk_size: 4_096, strategy: 'whole' }, null],
    [{ chunk_size: 1_024, strategy: 'parent_child' }, null],
    [{ chunk_size: 1_028, strategy: 'parent_child' }, 257],
  ] as const)('is less than the chunk size of %j: %j', (chunking, chunkSize) => {
    const found = chunksCutBy(policyOf(chunking).chunking, [embedder('short', 256).descriptor]);
    expect(found).toEqual(chunkSize === null ? null : { model: 'short', reads: 256, chunkSize });
  });
});

describe('warnings about a policy', () => {
  it('name the model of the dataset or the one that the policy names, whichever reads too little', () => {
    expect(policyWarnings(models, policyOf({}), 'long')).toEqual([]);
    for (const [policy, present] of [
      [policyOf({}), 'short'],
      [policyOf({}, 'short'), 'long'],
    ] as const) {
      const [warning] = policyWarnings(models, policy, present);
      expect(warning).toMatchObject({ pointer: '/chunking/chunk_size', code: 'CHUNKS_LONGER_THAN_MODEL' });
      expect(warning!.detail).toContain('512 tokens, but short reads only the first 256');
    }
  });

  it('say that chunks that fit one model must be cut again for another', () => {
    const fitted = { fit_model: true };
    expect(policyWarnings(models, policyOf(fitted), 'long')).toEqual([]);
    const [warning] = policyWarnings(models, policyOf(fitted, 'short'), 'long');
    expect(warning).toMatchObject({ pointer: '/chunking/fit_model', code: 'CHUNKS_FIT_ANOTHER_MODEL' });
    expect(warning!.detail).toMatch(/fit short\.$/);
  });

  it('are not given about models that are no longer installed', () => {
    expect(policyWarnings(models, policyOf({}, 'gone'), 'gone')).toEqual([]);
  });
});

describe('warnings about a re-embedding', () => {
  it('are only about the new model', () => {
    expect(moveWarnings(models, policyOf({}), { from: 'short', to: 'long' })).toEqual([]);
    expect(codes(moveWarnings(models, policyOf({}), { from: 'long', to: 'short' }))).toEqual([
      'CHUNKS_LONGER_THAN_MODEL',
    ]);
    const fitted = policyOf({ fit_model: true });
    expect(codes(moveWarnings(models, fitted, { from: 'short', to: 'long' }))).toEqual(['CHUNKS_FIT_ANOTHER_MODEL']);
    expect(moveWarnings(models, fitted, { from: 'long', to: 'long' })).toEqual([]);
  });
});
