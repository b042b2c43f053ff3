import { describe, expect, it } from 'vitest';
import type { Reranker } from '../reranker.port.js';

const DOCUMENTS = [
  { id: 'weather', text: 'The weather will be sunny with a light wind from the west.' },
  { id: 'pump', text: 'The pump must be serviced every 500 hours by a trained technician.' },
  { id: 'empty', text: '' },
  { id: 'invoice', text: 'Invoices are paid within thirty days.' },
  { id: 'chinese', text: '水泵每五百小时保养一次。' },
];

/** What every reranker does; `make` gives a fresh one. Remote adapters give one that talks to a double of their service. */
export function describeReranker(name: string, make: () => Reranker | Promise<Reranker>): void {
  describe(`${name} as a Reranker`, () => {
    it('gives every document back once, by falling score between 0 and 1', async () => {
      const ranked = await (await make()).rerank('How often must the pump be serviced?', DOCUMENTS);
      expect(ranked.map(({ id }) => id).sort()).toEqual(DOCUMENTS.map(({ id }) => id).sort());
      const scores = ranked.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(Math.max(...scores)).toBeLessThanOrEqual(1);
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    });

    it.each([
      ['How often must the pump be serviced?', 'pump'],
      ['When are invoices paid?', 'invoice'],
      ['水泵多久保养一次？', 'chinese'],
    ])('puts the document first that answers "%s"', async (query, expected) => {
      const [first] = await (await make()).rerank(query, DOCUMENTS);
      expect(first?.id).toBe(expected);
    });

    it('gives the same scores whatever the order of the documents', async () => {
      const reranker = await make();
      const forwards = await reranker.rerank('pump hours', DOCUMENTS);
      const backwards = await reranker.rerank('pump hours', [...DOCUMENTS].reverse());
      expect(new Map(backwards.map(({ id, score }) => [id, score]))).toEqual(
        new Map(forwards.map(({ id, score }) => [id, score])),
      );
    });

    it('keeps the given order among equal scores', async () => {
      const same = ['a', 'b', 'c'].map((id) => ({ id, text: 'The pump is serviced.' }));
      const ranked = await (await make()).rerank('pump', same);
      expect(ranked.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });

    it('gives the first results for topN, the same as without it', async () => {
      const reranker = await make();
      const all = await reranker.rerank('pump hours', DOCUMENTS);
      expect(await reranker.rerank('pump hours', DOCUMENTS, { topN: 2 })).toEqual(all.slice(0, 2));
    });

    it('gives nothing for no documents', async () => {
      expect(await (await make()).rerank('pump', [])).toEqual([]);
    });

    it('answers a query without words with every document', async () => {
      expect(await (await make()).rerank('?!', DOCUMENTS)).toHaveLength(DOCUMENTS.length);
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
