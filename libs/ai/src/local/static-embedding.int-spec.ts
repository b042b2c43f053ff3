import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdapter } from '#libs/config';
import { EMBEDDERS } from '../model-adapters.js';
import { describeEmbedder } from '../testing/describe-embedder.js';
import { LocalEmbedder } from './local-embedder.js';
import { LocalReranker } from './local-reranker.js';
import { floats, writeTinyStaticModel, type TestTensor } from './testing/tiny-static-model.js';
import { SPECIAL_TOKENS } from './testing/tiny-tokenizer.js';

const WORDS = ['pump', 'serviced', 'hours', 'novel', 'word', 'wing', ...'水泵保养一次'];

describe('a static model in a folder', () => {
  let root: string;
  let shared: LocalEmbedder;
  const opened: LocalEmbedder[] = [];
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'static-model-'));
    await writeTinyStaticModel(root, WORDS);
    const settings = { EMBEDDING_MODEL_PATH: root, EMBEDDING_MODEL: 'tiny' };
    shared = (await openAdapter(EMBEDDERS, 'local', settings, {})) as LocalEmbedder;
    opened.push(shared);
  });
  afterAll(async () => {
    for (const embedder of opened) await embedder.close();
    await rm(root, { recursive: true, force: true });
  });

  describeEmbedder('LocalEmbedder of a static model', () => shared);

  /** Of two words, with these tables. */
  const load = async (tensors: Readonly<Record<string, TestTensor>>): Promise<LocalEmbedder> => {
    const folder = await mkdtemp(join(root, 'model-'));
    await writeTinyStaticModel(folder, ['pump', 'wing'], tensors);
    const embedder = await LocalEmbedder.load({ path: folder });
    opened.push(embedder);
    return embedder;
  };
  const vectorOf = async (embedder: LocalEmbedder, text: string): Promise<number[]> =>
    Array.from((await embedder.embed([text], 'document')).vectors[0]!, (value) => Math.round(value * 1_000) / 1_000);
  const special = SPECIAL_TOKENS.map(() => [9, 9]);

  it('gives the mean of the rows of its tokens, of length 1, without unknown words and those that a tokenizer adds', async () => {
    const embedder = await load({ embeddings: floats([...special, [0.3, 0.1], [0.1, 0.3]]) });
    expect(embedder.descriptor).toMatchObject({ dimensions: 2, kind: 'semantic', maxInputTokens: 512 });
    expect(await vectorOf(embedder, 'pump wing')).toEqual([0.707, 0.707]);
    expect(await vectorOf(embedder, 'The pump, pump of the wing.')).toEqual([0.814, 0.581]);
    expect(await vectorOf(embedder, 'nothing known')).toEqual([1, 0]);
    expect(await embedder.countTokens(['the pump of a wing', 'nothing'], 'document')).toEqual([2, 0]);
  });

  it('weighs rows, and finds those that several tokens share', async () => {
    const mapping = { dtype: 'I64', shape: [6], bytes: Buffer.from(BigInt64Array.of(0n, 0n, 0n, 0n, 1n, 1n).buffer) };
    const weights = { ...floats([[0, 0, 0, 0, 2, 4]]), shape: [6] };
    const embedder = await load({ embeddings: floats([[9, 9], [3, 4]]), mapping, weights }); // prettier-ignore
    expect(await vectorOf(embedder, 'pump')).toEqual([0.6, 0.8]);
    const apart = await load({ 'embedding.weight': floats([...special, [1, 0], [0, 1]]), weights });
    expect(await vectorOf(apart, 'pump wing')).toEqual([0.447, 0.894]);
    expect(apart.descriptor.space).not.toBe(embedder.descriptor.space);
  });

  it('needs no network, and does not take one that lies beside', async () => {
    const folder = await mkdtemp(join(root, 'beside-'));
    await writeTinyStaticModel(folder, WORDS);
    await writeFile(join(folder, 'model.onnx'), 'a network that asks for offsets');
    const embedder = await LocalEmbedder.load({ path: folder });
    opened.push(embedder);
    expect((await embedder.embed(['pump'], 'query')).vectors).toEqual((await shared.embed(['pump'], 'query')).vectors);
    expect(embedder.descriptor.space).toBe(shared.descriptor.space);
  });

  it('says what is wrong with its files, and that it judges no pairs', async () => {
    const folder = await mkdtemp(join(root, 'broken-'));
    await writeTinyStaticModel(folder, WORDS);
    const unusable = (words: string): object => ({
      code: 'ai.local_model_unusable',
      message: expect.stringContaining(words) as string,
    });
    await expect(LocalReranker.load({ path: folder })).rejects.toMatchObject(unusable('judges no pairs'));
    await expect(LocalEmbedder.load({ path: folder, pooling: 'cls' })).rejects.toMatchObject(
      unusable('mean of its rows'),
    );
    await writeTinyStaticModel(folder, WORDS, { rows: floats([[1]]) });
    await expect(LocalEmbedder.load({ path: folder })).rejects.toMatchObject(unusable('no table embeddings'));
    await writeFile(join(folder, 'model.safetensors'), 'cut');
    await expect(LocalEmbedder.load({ path: folder })).rejects.toMatchObject(unusable('sane length'));
    await rm(join(folder, 'model.safetensors'));
    await expect(LocalEmbedder.load({ path: folder })).rejects.toMatchObject(unusable('model.safetensors is missing'));
  });
});
