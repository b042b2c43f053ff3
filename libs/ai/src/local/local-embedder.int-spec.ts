import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '../ai.module.js';
import { describeEmbedder } from '../testing/describe-embedder.js';
import { LocalEmbedder } from './local-embedder.js';

/** Folder of all-MiniLM-L6-v2, of multilingual-e5-small, or of another small model that knows English; without it these tests are skipped. */
const path = process.env['TEST_EMBEDDING_MODEL_PATH'] ?? '';

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

describe.skipIf(path === '')('LocalEmbedder with the model of TEST_EMBEDDING_MODEL_PATH', () => {
  const opened: LocalEmbedder[] = [];
  let shared: LocalEmbedder;
  const load = async (options: Partial<Parameters<typeof LocalEmbedder.load>[0]> = {}): Promise<LocalEmbedder> => {
    const embedder = await LocalEmbedder.load({ path, ...options });
    opened.push(embedder);
    return embedder;
  };
  beforeAll(async () => {
    shared = await load();
  });
  afterAll(async () => {
    await Promise.all(opened.map((embedder) => embedder.close()));
  });

  describeEmbedder('LocalEmbedder', () => shared);

  const vectorsOf = async (texts: readonly string[], purpose: 'document' | 'query'): Promise<readonly Float32Array[]> =>
    (await shared.embed(texts, purpose)).vectors;

  const TEXTS = Array.from(
    { length: 12 },
    (_, n) => `The ${n}th wing of an aircraft. ${'It flutters in a slipstream. '.repeat(n * 3)}`,
  );

  it('gives a text the same bits alone, in any batch and in another order', async () => {
    const { vectors: together } = await shared.embed(TEXTS, 'document');
    const reversed = (await shared.embed(TEXTS.toReversed(), 'document')).vectors.toReversed();
    const alone: Float32Array[] = [];
    for (const text of TEXTS) alone.push(...(await shared.embed([text], 'document')).vectors);
    expect(reversed).toEqual(together);
    expect(alone).toEqual(together);
  });

  it('knows meaning: a paraphrase is nearer than a sentence that shares its words', async () => {
    const [text, paraphrase, words] = await vectorsOf(
      ['The physician treated the patient.', 'A doctor cured a sick man.', 'The physician bought a treated plank.'],
      'document',
    );
    expect(dot(text!, paraphrase!)).toBeGreaterThan(dot(text!, words!));
  });

  it('reads a text up to its limit of tokens and nothing beyond', async () => {
    const { maxInputTokens } = shared.descriptor;
    const [cut, longer, shorter] = await vectorsOf(
      [
        `${'wing '.repeat(maxInputTokens - 2)}`,
        'wing '.repeat(maxInputTokens - 2) + 'flutter',
        `flutter ${'wing '.repeat(maxInputTokens)}`,
      ],
      'document',
    );
    expect(longer).toEqual(cut);
    expect(shorter).not.toEqual(cut);
  });

  it('counts tokens by its own tokenizer, with those that it adds and its prefix', async () => {
    const { maxInputTokens } = shared.descriptor;
    const count = async (text: string, embedder = shared): Promise<number> =>
      (await embedder.countTokens([text], 'document'))[0]!;
    const around = (await count('the')) - 1;
    expect(around).toBeGreaterThanOrEqual(2);
    expect(await count('the '.repeat(maxInputTokens - around))).toBe(maxInputTokens);
    expect(await count('the '.repeat(maxInputTokens))).toBe(maxInputTokens + around);
    const prefixed = await load({ queryPrefix: 'ask:', documentPrefix: 'the the' });
    expect(await count('the', prefixed)).toBe(5);
    expect(await count(' ', prefixed)).toBe(4);
  });

  it('lets a question pass documents that wait', async () => {
    const order: string[] = [];
    const long = 'the flow over a wing at high speed '.repeat(40);
    const documents = shared
      .embed(
        Array.from({ length: 12 }, () => long),
        'document',
      )
      .then(() => order.push('documents'));
    const question = shared.embed(['what is flutter?'], 'query').then(() => order.push('question'));
    await Promise.all([documents, question]);
    expect(order).toEqual(['question', 'documents']);
  });

  it('lets the process do other work while it computes', async () => {
    let turns = 0;
    const clock = setInterval(() => (turns += 1), 1);
    await shared.embed(
      Array.from({ length: 8 }, () => 'the flow over a wing '.repeat(60)),
      'document',
    );
    clearInterval(clock);
    expect(turns).toBeGreaterThan(8);
  });

  it('gives up what waits when its signal is aborted, and goes on with what others wait for', async () => {
    const stop = new AbortController();
    const wanted = shared.embed(['one'], 'document');
    const unwanted = shared.embed(
      Array.from({ length: 20 }, () => 'slow '.repeat(200)),
      'document',
      { signal: stop.signal },
    );
    const reason = new Error('no longer wanted');
    stop.abort(reason);
    await expect(unwanted).rejects.toBe(reason);
    expect((await wanted).vectors).toHaveLength(1);
    expect((await shared.embed(['two'], 'query')).vectors).toHaveLength(1);
  });

  it('loads the model again after it was closed', async () => {
    const embedder = await load();
    const before = await embedder.embed(['again'], 'query');
    await embedder.close();
    expect(await embedder.embed(['again'], 'query')).toEqual(before);
  });

  it('names another space for everything that makes other vectors, and only for that', async () => {
    const { space } = shared.descriptor;
    expect((await load({ name: 'another name', threads: 2 })).descriptor).toMatchObject({
      space,
      model: 'another name',
    });
    expect((await load({ pooling: 'cls' })).descriptor.space).not.toBe(space);
    const shorter = await load({ maxTokens: 64 });
    expect(shorter.descriptor).toMatchObject({ maxInputTokens: 64, kind: 'semantic', provider: 'local' });
    expect(shorter.descriptor.space).not.toBe(space);
  });

  it('puts the prompts of sentence-transformers before the texts, and is another space then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'local-model-'));
    try {
      await cp(path, folder, { recursive: true });
      const prompts = { prompts: { query: 'ask: ', passage: 'text: ' } };
      await writeFile(join(folder, 'config_sentence_transformers.json'), JSON.stringify(prompts));
      const prompted = await load({ path: folder });
      expect(prompted.descriptor.space).not.toBe(shared.descriptor.space);
      const embed = async (embedder: LocalEmbedder, text: string, purpose: 'document' | 'query'): Promise<unknown> =>
        (await embedder.embed([text], purpose)).vectors;
      const set = await load({ queryPrefix: 'ask:', documentPrefix: 'text:' });
      expect(set.descriptor.space).toBe(prompted.descriptor.space);
      const swapped = await load({ queryPrefix: 'ask: text:', documentPrefix: 'ask:' });
      expect(await embed(prompted, 'text: a wing', 'query')).toEqual(await embed(swapped, 'a wing', 'query'));
      expect(await embed(prompted, 'a wing', 'query')).toEqual(await embed(swapped, 'a wing', 'document'));
      expect(await embed(prompted, 'a wing', 'document')).not.toEqual(await embed(prompted, 'a wing', 'query'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reads prefixes of the settings, and has the space without them beside its own, computed by the same thread', async () => {
    expect(shared.former()).toBeNull();
    const prefixed = await load({ queryPrefix: 'ask:', documentPrefix: 'text:' });
    const former = prefixed.former()!;
    expect(former.descriptor).toEqual(shared.descriptor);
    expect(prefixed.descriptor.space).not.toBe(former.descriptor.space);
    const [own] = (await prefixed.embed(['a wing'], 'query')).vectors;
    const [before] = (await former.embed(['a wing'], 'query')).vectors;
    expect(before).toEqual((await shared.embed(['a wing'], 'query')).vectors[0]);
    expect(before).not.toEqual(own);
  });

  it('tells what is wrong with a file that is no network', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'local-model-'));
    try {
      await cp(path, folder, { recursive: true });
      await writeFile(join(folder, 'model.onnx'), 'not a network');
      await expect(LocalEmbedder.load({ path: folder })).rejects.toMatchObject({ code: 'ai.local_model_unusable' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is made by the module from its options', async () => {
    const values = { EMBEDDING_MODEL_PATH: path };
    const options = { embedding: 'local', values, rerank: 'builtin', chat: 'builtin' };
    const { embedder } = await createModels(options);
    if (embedder instanceof LocalEmbedder) opened.push(embedder);
    expect(embedder.descriptor).toEqual(shared.descriptor);
  });
});
