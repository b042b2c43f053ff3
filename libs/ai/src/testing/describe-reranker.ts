import { describe, expect, it } from 'vitest';
import type { RerankedDocument, Reranker } from '../reranker.port.js';

const DOCUMENTS = [
  { id: 'weather', text: 'The weather will be sunny with a light wind from the west.' },
  { id: 'pump', text: 'The pump must be serviced every 500 hours by a trained technician.' },
  { id: 'empty', text: '' },
  { id: 'invoice', text: 'Invoices are paid within thirty days.' },
  { id: 'chinese', text: '水泵每五百小时保养一次。' },
];

async function ranked(
  reranker: Reranker,
  ...given: Parameters<Reranker['rerank']>
): Promise<readonly RerankedDocument[]> {
  return (await reranker.rerank(...given)).documents;
}

/** What every reranker does; `make` gives a fresh one. Remote adapters give one that talks to a double of their service. */
export function describeReranker(name: string, make: () => Reranker | Promise<Reranker>): void {
  describe(`${name} as a Reranker`, () => {
    it('gives every document back once, by falling score between 0 and 1', async () => {
      const found = await ranked(await make(), 'How often must the pump be serviced?', DOCUMENTS);
      expect(found.map(({ id }) => id).sort()).toEqual(DOCUMENTS.map(({ id }) => id).sort());
      const scores = found.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(Math.max(...scores)).toBeLessThanOrEqual(1);
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    });

    it.each([
      ['How often must the pump be serviced?', 'pump'],
      ['When are invoices paid?', 'invoice'],
      ['水泵多久保养一次？', 'chinese'],
    ])('puts the document first that answers "%s"', async (query, expected) => {
      const [first] = await ranked(await make(), query, DOCUMENTS);
      expect(first?.id).toBe(expected);
    });

    it('gives the same scores whatever the order of the documents', async () => {
      const reranker = await make();
      const forwards = await ranked(reranker, 'pump hours', DOCUMENTS);
      const backwards = await ranked(reranker, 'pump hours', [...DOCUMENTS].reverse());
      expect(new Map(backwards.map(({ id, score }) => [id, score]))).toEqual(
        new Map(forwards.map(({ id, score }) => [id, score])),
      );
    });

    it('keeps the given order among equal scores', async () => {
      const same = ['a', 'b', 'c'].map((id) => ({ id, text: 'The pump is serviced.' }));
      const found = await ranked(await make(), 'pump', same);
      expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });

    it('gives the first results for topN, the same as without it', async () => {
      const reranker = await make();
      const all = await ranked(reranker, 'pump hours', DOCUMENTS);
      expect(await ranked(reranker, 'pump hours', DOCUMENTS, { topN: 2 })).toEqual(all.slice(0, 2));
    });

    it('gives nothing for no documents', async () => {
      expect(await ranked(await make(), 'pump', [])).toEqual([]);
    });

    it('answers a query without words with every document', async () => {
      expect(await ranked(await make(), '?!', DOCUMENTS)).toHaveLength(DOCUMENTS.length);
    });

    it('tells what a call has cost', async () => {
      const { usage } = await (await make()).rerank('pump', DOCUMENTS);
      expect(usage.inputTokens).toBeGreaterThan(0);
      expect(usage.requests).toBeGreaterThan(0);
    });

    it('refuses more documents than its limit', async () => {
      const reranker = await make();
      const documents = Array.from({ length: reranker.descriptor.maxDocuments + 1 }, (_, i) => ({
        id: `${i}`,
        text: 'x',
      }));
      await expect(reranker.rerank('x', documents)).rejects.toMatchObject({ code: 'ai.batch_too_large' });
    });

    it('rejects with the reason of a signal that is aborted', async () => {
      const reason = new Error('no longer wanted');
      const signal = AbortSignal.abort(reason);
      await expect((await make()).rerank('pump', DOCUMENTS, { signal })).rejects.toBe(reason);
    });
  });
}
