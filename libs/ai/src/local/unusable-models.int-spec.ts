import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAdapter, type AdapterValues } from '#libs/config';
import { GROUNDINGS } from '../grounding-methods.js';
import { EMBEDDERS, RERANKERS } from '../model-adapters.js';

describe('a folder with all files of a model that is none', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'no-model-'));
    await writeFile(join(folder, 'model.onnx'), 'no network');
    await writeFile(join(folder, 'tokenizer.json'), '{}');
    await writeFile(join(folder, 'config.json'), JSON.stringify({ id2label: { 0: 'entailment', 1: 'neutral' } }));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['EMBEDDING_MODEL_PATH', (values: AdapterValues) => openAdapter(EMBEDDERS, 'local', values, {})],
    ['RERANK_MODEL_PATH', (values: AdapterValues) => openAdapter(RERANKERS, 'local', values, {})],
    ['GROUNDING_MODEL_PATH', (values: AdapterValues) => openAdapter(GROUNDINGS, 'nli', values, {})],
  ] as const)('is told with the setting that names it: %s', async (setting, open) => {
    await expect(open({ [setting]: folder })).rejects.toMatchObject({
      code: 'ai.local_model_unusable',
      message: expect.stringMatching(new RegExp(`^${setting}: The files at ${folder}`)),
    });
  });
});
