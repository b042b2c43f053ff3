import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readModelFolder } from './model-folder.js';
import { writeTinyCrossEncoder } from './testing/tiny-cross-encoder.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-folder-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function put(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const WHOLE = {
  'onnx/model.onnx': 'network',
  'tokenizer.json': { model: {} },
  'config.json': { model_type: 'bert', max_position_embeddings: 512 },
};
const POOLING = '1_Pooling/config.json';
const SENTENCE = 'sentence_bert_config.json';

describe('readModelFolder', () => {
  it('names everything that a folder lacks at once', async () => {
    await put({ 'config.json': {} });
    await expect(readModelFolder({ path: folder })).rejects.toMatchObject({
      code: 'ai.local_model_unusable',
      facts: { problems: [expect.stringContaining('onnx/model.onnx'), 'tokenizer.json is missing'] },
    });
    await expect(readModelFolder({ path: join(folder, 'absent') })).rejects.toMatchObject({
      facts: { problems: ['the folder itself is missing'] },
    });
  });

  it('refuses files that are no JSON objects, and modules that it does not compute', async () => {
    await put({ ...WHOLE, [SENTENCE]: '{"max_seq_length": 2' });
    await expect(readModelFolder({ path: folder })).rejects.toMatchObject({
      facts: { problems: [expect.stringContaining(SENTENCE)] },
    });
    await put({ [SENTENCE]: {}, 'modules.json': [{ type: 'x.models.Transformer' }, { type: 'x.models.Dense' }] });
    await expect(readModelFolder({ path: folder })).rejects.toMatchObject({
      facts: { problems: [expect.stringContaining('x.models.Dense')] },
    });
  });

  it.each<[string, Record<string, unknown>, number, number]>([
    ['512 where nothing is said', {}, 0, 512],
    ['what the tokenizer says', { 'tokenizer_config.json': { model_max_length: 300 } }, 0, 300],
    [
      'sentence-transformers before the tokenizer',
      { [SENTENCE]: { max_seq_length: 256 }, 'tokenizer_config.json': { model_max_length: 300 } },
      0,
      256,
    ],
    ['the operator before the files', { [SENTENCE]: { max_seq_length: 256 } }, 100, 100],
    ['no more than the network has positions', { [SENTENCE]: { max_seq_length: 256 } }, 9_000, 512],
    [
      'two positions fewer for RoBERTa',
      { 'config.json': { model_type: 'xlm-roberta', max_position_embeddings: 514 } },
      9_000,
      512,
    ],
    ['nothing astronomical', { 'tokenizer_config.json': { model_max_length: 1e30 } }, 0, 512],
  ])('reads %s', async (_what, files, maxTokens, expected) => {
    await put({ ...WHOLE, ...files });
    expect((await readModelFolder({ path: folder, maxTokens })).maxTokens).toBe(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ['mean', {}],
    ['mean', { [POOLING]: { pooling_mode_mean_tokens: true, pooling_mode_cls_token: false } }],
    ['cls', { [POOLING]: { pooling_mode_mean_tokens: false, pooling_mode_cls_token: true } }],
    ['max', { [POOLING]: { pooling_mode_max_tokens: true } }],
    ['last', { [POOLING]: { pooling_mode: 'lasttoken' } }],
  ])('pools by %s where the files say so', async (pooling, files) => {
    await put({ ...WHOLE, ...files });
    expect((await readModelFolder({ path: folder })).pooling).toBe(pooling);
    expect((await readModelFolder({ path: folder, pooling: 'cls' })).pooling).toBe('cls');
  });

  it('takes prompts by purpose, and the default prompt for a purpose that has none', async () => {
    await put({
      ...WHOLE,
      'config_sentence_transformers.json': { prompts: { query: 'q: ', any: 'x: ' }, default_prompt_name: 'any' },
    });
    expect((await readModelFolder({ path: folder })).prompts).toEqual({ query: 'q: ', document: 'x: ' });
  });

  it('puts before texts what the settings say, else the files, else what the family wants, and knows what was put there before', async () => {
    const filed = { query: 'q: ', document: 'd: ' };
    const none = { query: '', document: '' };
    const family = { query: 'query: ', document: 'passage: ' };
    await put(WHOLE);
    const before = await readModelFolder({ path: folder });
    expect(before).toMatchObject({ prompts: none, former: null });
    await put({ 'config.json': { ...WHOLE['config.json'], _name_or_path: 'intfloat/multilingual-e5-small' } });
    const known = await readModelFolder({ path: folder });
    expect(known).toMatchObject({ prompts: family, former: { prompts: none, fingerprint: before.fingerprint } });
    expect(known.fingerprint).not.toBe(before.fingerprint);
    await put({ 'config_sentence_transformers.json': { prompts: filed } });
    const described = await readModelFolder({ path: folder });
    expect(described).toMatchObject({ prompts: filed, former: null });
    const set = await readModelFolder({ path: folder, queryPrefix: 'ask:' });
    const former = { prompts: filed, fingerprint: described.fingerprint };
    expect(set).toMatchObject({ prompts: { query: 'ask: ', document: '' }, former });
  });

  it('has another fingerprint for every change that can change a vector, and the same one for the rest', async () => {
    await put(WHOLE);
    const read = async (options = {}): Promise<string> =>
      (await readModelFolder({ path: folder, ...options })).fingerprint;
    const first = await read();
    expect(await read({ name: 'shown', threads: 4 })).toBe(first);
    const others = [await read({ pooling: 'max' }), await read({ maxTokens: 9 })];
    await put({ 'tokenizer.json': { model: { vocab: {} } } });
    others.push(await read());
    await put({ 'onnx/model.onnx_data': 'weights' });
    others.push(await read());
    await put({ 'onnx/model.onnx': 'another network' });
    others.push(await read());
    expect(new Set([first, ...others]).size).toBe(6);
  });

  it('has another fingerprint for other weights, whatever their file is called', async () => {
    await writeTinyCrossEncoder(folder, ['pump'], { weights: 'numbers.bin' });
    const { fingerprint } = await readModelFolder({ path: folder });
    expect((await readModelFolder({ path: folder })).fingerprint).toBe(fingerprint);
    await put({ 'numbers.bin': '8 bytes.' });
    expect((await readModelFolder({ path: folder })).fingerprint).not.toBe(fingerprint);
  });
});
