import { describe, expect, it } from 'vitest';
import type { Embedder, EmbeddingPurpose } from '../embedder.port.js';

const TEXTS = [
  'The pump must be serviced every 500 hours.',
  'Die Wärmepumpe wird jährlich gewartet.',
  '水泵每五百小时保养一次。',
  'ปั๊มต้องได้รับการบำรุงรักษาทุก 500 ชั่วโมง',
  'Насос обслуживают каждые 500 часов.',
  'يجب صيانة المضخة كل 500 ساعة.',
  '펌프는 500시간마다 정비해야 한다.',
  '🚀',
  '§ 12a!',
];

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

async function vectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
): Promise<readonly Float32Array[]> {
  return (await embedder.embed(texts, purpose)).vectors;
}

/** What every embedder does; `make` gives a fresh one. Remote adapters give one that talks to a double of their service. */
export function describeEmbedder(name: string, make: () => Embedder | Promise<Embedder>): void {
  describe(`${name} as an Embedder`, () => {
    it('describes itself with positive limits and a space id that can be part of a name', async () => {
      const { descriptor } = await make();
      expect(descriptor.dimensions).toBeGreaterThan(0);
      expect(descriptor.maxBatchSize).toBeGreaterThan(0);
      expect(descriptor.maxInputTokens).toBeGreaterThan(0);
      expect(descriptor.space).toMatch(/^[a-z0-9_-]+$/);
    });

    it.each(['document', 'query'] as const)(
      'gives one vector of length 1 per text, in every script, for a %s',
      async (purpose) => {
        const embedder = await make();
        const vectors = await vectorsOf(embedder, TEXTS, purpose);
        expect(vectors).toHaveLength(TEXTS.length);
        for (const vector of vectors) {
          expect(vector).toBeInstanceOf(Float32Array);
          expect(vector).toHaveLength(embedder.descriptor.dimensions);
          expect(Math.sqrt(dot(vector, vector))).toBeCloseTo(1, 5);
        }
      },
    );

    it('keeps the order of the texts and gives a text the same vector alone and in a batch', async () => {
      const embedder = await make();
      const together = await vectorsOf(embedder, TEXTS, 'document');
      const [alone] = await vectorsOf(embedder, [TEXTS[2]!], 'document');
      expect(dot(together[2]!, alone!)).toBeCloseTo(1, 5);
      expect(dot(together[0]!, alone!)).toBeLessThan(0.999);
    });

    it('places a passage nearer to its own question than to another', async () => {
      const embedder = await make();
      const [passage] = await vectorsOf(embedder, [TEXTS[0]!], 'document');
      const [near, far] = await vectorsOf(
        embedder,
        ['How often is the pump serviced?', 'Who wrote the novel?'],
        'query',
      );
      expect(dot(passage!, near!)).toBeGreaterThan(dot(passage!, far!));
    });

    it('gives texts without content one and the same vector of length 1', async () => {
      const embedder = await make();
      const [empty, blank] = await vectorsOf(embedder, ['', ' \n\t'], 'document');
      expect(dot(empty!, blank!)).toBeCloseTo(1, 5);
    });

    it('embeds a text beyond its token limit without an error', async () => {
      const embedder = await make();
      const [vector] = await vectorsOf(embedder, ['word '.repeat(embedder.descriptor.maxInputTokens + 1)], 'document');
      expect(Math.sqrt(dot(vector!, vector!))).toBeCloseTo(1, 5);
    });

    it('counts the tokens of any number of texts, each for itself and uncut', async () => {
      const embedder = await make();
      const { maxBatchSize, maxInputTokens } = embedder.descriptor;
      const texts = Array.from({ length: maxBatchSize + 1 }, (_, index) => TEXTS[index % TEXTS.length]!);
      const counts = await embedder.countTokens(texts, 'document');
      expect(counts).toHaveLength(texts.length);
      for (const count of counts) expect(Number.isInteger(count) && count >= 0).toBe(true);
      expect((await embedder.countTokens([TEXTS[2]!], 'document'))[0]).toBe(counts[2]);
      const [long] = await embedder.countTokens(['word '.repeat(maxInputTokens + 1)], 'document');
      expect(long).toBeGreaterThan(maxInputTokens);
      expect(await embedder.countTokens([], 'document')).toEqual([]);
    });

    it('gives no vectors for no texts', async () => {
      expect((await (await make()).embed([], 'document')).vectors).toEqual([]);
    });

    it('tells what a call has cost', async () => {
      const { usage } = await (await make()).embed(TEXTS, 'document');
      expect(usage.inputTokens).toBeGreaterThan(0);
      expect(usage.outputTokens).toBe(0);
      expect(usage.requests).toBeGreaterThan(0);
    });

    it('refuses a batch above its limit', async () => {
      const embedder = await make();
      const texts = Array.from({ length: embedder.descriptor.maxBatchSize + 1 }, (_, index) => `text ${index}`);
      await expect(embedder.embed(texts, 'document')).rejects.toMatchObject({ code: 'ai.batch_too_large' });
    });

    it('rejects with the reason of a signal that is aborted', async () => {
      const reason = new Error('no longer wanted');
      const signal = AbortSignal.abort(reason);
      await expect((await make()).embed(TEXTS, 'document', { signal })).rejects.toBe(reason);
    });
  });
}
