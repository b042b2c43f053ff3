import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '../../ai.module.js';
import { describeEmbedder } from '../../testing/describe-embedder.js';
import { hashText } from '../feature-hashing.js';
import { openBuiltinEmbedder } from '../open-builtin-embedder.js';
import { MeaningEmbedder } from './meaning-embedder.js';
import { WEIGHTS_PACKAGE } from './use-lite-package.js';

const BUILTIN = { embedding: 'builtin', rerank: 'builtin', chat: 'builtin' } as const;

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

describe('MeaningEmbedder', () => {
  let shared: MeaningEmbedder;
  let folder: string;
  beforeAll(async () => {
    shared = await MeaningEmbedder.load();
    folder = await mkdtemp(join(tmpdir(), 'meaning-'));
  });
  afterAll(async () => {
    await shared.close();
    await rm(folder, { recursive: true, force: true });
  });
  const vectorsOf = async (...texts: string[]): Promise<readonly Float32Array[]> =>
    (await shared.embed(texts, 'document')).vectors;

  describeEmbedder('MeaningEmbedder', () => shared);

  it('knows meaning: a question is nearest to the sentence that answers it in other words', async () => {
    const [question, answer, other] = await vectorsOf(
      'Can I bring my pup along?',
      'Dogs are admitted on the outer decks.',
      'Invoices are paid within thirty days.',
    );
    expect(dot(question!, answer!)).toBeGreaterThan(dot(question!, other!) + 0.1);
  });

  it('reads other languages by their spelling', async () => {
    for (const text of [
      'Wie lange ist die Kündigungsfrist?',
      'Combien de temps dure le préavis ?',
      'Какой срок уведомления?',
      '通知期有多长？',
    ]) {
      const [vector] = await vectorsOf(text);
      expect(vector!.slice(0, 384)).toEqual(hashText(text));
      expect(vector!.slice(384).every((value) => value === 0)).toBe(true);
    }
  });

  it('gives a text the same bits alone, in any batch, in another order and as a question', async () => {
    const texts = Array.from({ length: 8 }, (_, n) => `The ${n}th dog sleeps. ${'It barks at night. '.repeat(n * 9)}`);
    const together = await vectorsOf(...texts);
    expect((await vectorsOf(...texts.toReversed())).toReversed()).toEqual(together);
    for (const [at, text] of texts.entries())
      expect((await shared.embed([text], 'query')).vectors).toEqual([together[at]]);
  });

  it('reads more of a text than the network reads at once, and takes white space of any kind for a space', async () => {
    const start = 'The ferry leaves the harbour at noon. '.repeat(30);
    const [one, another] = await vectorsOf(`${start} Dogs are welcome.`, `${start} Invoices are paid late.`);
    expect(one).not.toEqual(another);
    const [spaces, lines] = await vectorsOf('The ferry leaves at noon', 'The ferry\n\nleaves\tat noon');
    expect(dot(spaces!, lines!)).toBeCloseTo(1, 6);
  });

  it('is the built-in model, with its name', async () => {
    const { embedder } = await createModels(BUILTIN);
    expect(embedder.descriptor).toMatchObject({
      provider: 'builtin',
      model: 'meaning-v1',
      kind: 'semantic',
      space: 'builtin-meaning-v1-896',
    });
    await (embedder as MeaningEmbedder).close();
  });

  it('refuses weights that are not those that were released', async () => {
    const released = dirname(createRequire(import.meta.url).resolve(`${WEIGHTS_PACKAGE}/package.json`));
    await cp(join(released, 'dist'), folder, { recursive: true });
    await writeFile(join(folder, 'group1-shard7of7'), 'other');
    await expect(MeaningEmbedder.load(folder)).rejects.toThrow(/not the file that was released/);
    await rm(join(folder, 'vocab.json'));
    await expect(MeaningEmbedder.load(folder)).rejects.toMatchObject({ code: 'ai.builtin_meaning_unusable' });
  });

  it('is stood for by hashing, which says why, where the package is absent, unless it is asked for by its name', async () => {
    const absent = join(folder, 'absent');
    const { descriptor } = await openBuiltinEmbedder(undefined, absent);
    expect(descriptor).toMatchObject({ model: 'hashing-v1', kind: 'hashed' });
    expect(descriptor.insteadOf).toContain('model.json cannot be read');
    await expect(openBuiltinEmbedder('meaning-v1', absent)).rejects.toMatchObject({
      code: 'ai.builtin_meaning_unusable',
    });
    expect((await openBuiltinEmbedder('hashing-v1', absent)).descriptor.insteadOf).toBeUndefined();
  });
});
