import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LexicalReranker } from './lexical-reranker.js';

async function order(query: string, documents: Record<string, string>): Promise<string[]> {
  const given = Object.entries(documents).map(([id, text]) => ({ id, text }));
  return (await new LexicalReranker().rerank(query, given)).documents.map(({ id }) => id);
}

describe('LexicalReranker', () => {
  it('prefers the phrase to the same words in another order and far apart', async () => {
    const filler = 'and so on '.repeat(30);
    const documents = {
      apart: `heat ${filler} pump ${filler} service`,
      reversed: 'service of the pump by heat',
      phrase: 'heat pump service',
    };
    expect(await order('heat pump service', documents)).toEqual(['phrase', 'reversed', 'apart']);
  });

  it('prefers more of the query, and the rarer of its words', async () => {
    const documents = {
      common: 'The pump is blue.',
      rare: 'The impeller is blue.',
      both: 'The pump has an impeller.',
      other: 'A pump.',
    };
    const ranked = await order('pump impeller', documents);
    expect(ranked.slice(0, 2)).toEqual(['both', 'rare']);
  });

  it('counts another form of a word, but less than the word itself', async () => {
    expect(await order('serviced', { none: 'an invoice', form: 'a service', exact: 'it was serviced' })).toEqual([
      'exact',
      'form',
      'none',
    ]);
  });

  it('gives 0 to a document that shares nothing with the query, and to all when the query has no words', async () => {
    const reranker = new LexicalReranker();
    expect((await reranker.rerank('pump', [{ id: 'a', text: 'invoice' }])).documents).toEqual([{ id: 'a', score: 0 }]);
    expect((await reranker.rerank('?', [{ id: 'a', text: 'invoice' }])).documents).toEqual([{ id: 'a', score: 0 }]);
  });

  it('scores any query and any texts between 0 and 1', async () => {
    const words = fc.array(fc.constantFrom('pump', 'pumps', 'heat', 'the', '水泵', '泵的', 'a', '!'), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(words, fc.array(words, { maxLength: 5 }), async (query, texts) => {
        const documents = texts.map((text, index) => ({ id: String(index), text: text.join(' ') }));
        const ranked = await new LexicalReranker().rerank(query.join(' '), documents);
        for (const { score } of ranked.documents) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
