import { describe, expect, it } from 'vitest';
import { idsDescribedIn } from './document-sight.port.js';

const [OWN, OTHER, ARCHIVE] = ['a', 'b', 'c'].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);

describe('the documents that an answer describes', () => {
  it('are those of its fields, not those that the caller wrote into it', () => {
    const name = `replaces ${OTHER}`;
    const document = { id: OWN, archive_id: ARCHIVE, name, path: name, tags: [OTHER], metadata: { id: OTHER } };
    expect(idsDescribedIn(document)).toEqual([OWN, ARCHIVE]);
    expect(idsDescribedIn({ items: [{ document }] })).toEqual([OWN, ARCHIVE]);
  });

  it('are none of an answer that says what became of each id', () => {
    expect(idsDescribedIn({ accepted: [OWN], rejected: [{ id: OTHER, code: 'documents.not_found' }] })).toEqual([]);
  });
});
