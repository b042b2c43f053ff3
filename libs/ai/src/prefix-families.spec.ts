import { describe, expect, it } from 'vitest';
import { prefixesOfFamily } from './prefix-families.js';

describe('prefixesOfFamily', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['multilingual-e5-small', 'query: ', 'passage: '],
    ['intfloat/e5-base-v2', 'query: ', 'passage: '],
    ['bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
    ['nomic-embed-text-v1.5', 'search_query: ', 'search_document: '],
    ['snowflake-arctic-embed-m-v2.0', 'query: ', ''],
    ['bge-m3', undefined, undefined],
    ['all-MiniLM-L6-v2', undefined, undefined],
    ['gte-small', undefined, undefined],
    ['time5-x', undefined, undefined],
  ])('knows what %s was trained with', (name, query, document) => {
    const found = prefixesOfFamily([name]);
    expect([found?.query, found?.document]).toEqual([query, document]);
  });

  it('gives instructions of E5 to questions alone', () => {
    const found = prefixesOfFamily(['multilingual-e5-large-instruct']);
    expect(found?.query).toMatch(/^Instruct: .+\nQuery: $/s);
    expect(found?.document).toBe('');
  });
});
