import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings, SettingsError } from '#libs/config';
import { choicesOf } from '../../../config/src/testing/choices-of.js';
import { GROUNDINGS } from '../grounding-methods.js';
import { EMBEDDERS } from '../model-adapters.js';

const PORTS = choicesOf({ embeddingProvider: EMBEDDERS, groundingMethod: GROUNDINGS });

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadSettings(PORTS, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings of a local embedding model', () => {
  it('need a folder', () => {
    expect(problemsOf({ EMBEDDING_PROVIDER: 'local' })).toEqual([
      expect.stringContaining('EMBEDDING_MODEL_PATH: required'),
    ]);
  });

  it('name every file that the folder lacks, until nothing is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-settings-'));
    const environment = { EMBEDDING_PROVIDER: 'local', EMBEDDING_MODEL_PATH: folder };
    try {
      const missing = (name: string): unknown =>
        expect.stringMatching(new RegExp(`EMBEDDING_MODEL_PATH: .* lacks .*${name}`));
      expect(problemsOf(environment)).toEqual([
        missing('model.onnx'),
        missing('tokenizer.json'),
        missing('config.json'),
      ]);
      await writeFile(join(folder, 'model.onnx'), '');
      expect(problemsOf(environment)).toEqual([missing('tokenizer.json'), missing('config.json')]);
      await writeFile(join(folder, 'tokenizer.json'), '{}');
      await writeFile(join(folder, 'config.json'), '{}');
      expect(loadSettings(PORTS, environment)).toMatchObject({
        adapterValues: { EMBEDDING_POOLING: 'auto', EMBEDDING_THREADS: 1, EMBEDDING_MAX_TOKENS: 0 },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect(problemsOf(environment)).toEqual([expect.stringContaining('lacks the folder itself')]);
  });

  it('do not matter to another provider', () => {
    expect(problemsOf({ EMBEDDING_MODEL_PATH: join(tmpdir(), 'no such folder') })).toEqual([]);
    expect(problemsOf({ EMBEDDING_PROVIDER: 'acme' })).toEqual([
      expect.stringContaining('builtin, local, cohere, openai'),
    ]);
  });
});

describe('the settings of grounding by an entailment model', () => {
  it('need a folder with its files', async () => {
    expect(problemsOf({ GROUNDING_METHOD: 'nli' })).toEqual([
      'GROUNDING_MODEL_PATH: required with GROUNDING_METHOD=nli.',
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'entailment-settings-'));
    try {
      expect(problemsOf({ GROUNDING_METHOD: 'nli', GROUNDING_MODEL_PATH: folder })).toEqual([
        expect.stringMatching(/GROUNDING_MODEL_PATH: .* lacks model.onnx or /),
        expect.stringMatching(/GROUNDING_MODEL_PATH: .* lacks tokenizer.json/),
        expect.stringMatching(/GROUNDING_MODEL_PATH: .* lacks config.json/),
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('do not matter to another measure', () => {
    expect(problemsOf({ GROUNDING_MODEL_PATH: join(tmpdir(), 'no such folder') })).toEqual([]);
    expect(problemsOf({ GROUNDING_METHOD: 'entailment' })).toEqual([expect.stringContaining('lexical, reranker, nli')]);
  });
});
