import { describe, expect, it } from 'vitest';
import { titlesOf } from './source-titles.js';

const source = (document_id: string, document_name: string, path: string | null = null, day = '2026-05-01') => ({
  document_id,
  document_name,
  path,
  document_created_at: `${day}T08:00:00.000Z`,
});

describe('the titles of the sources that a model is given', () => {
  it('are names while they tell the documents apart, also those of documents with a path', () => {
    const sources = [source('a', 'README.md', 'pumps/README.md'), source('a', 'README.md', 'pumps/README.md')];
    expect(titlesOf([...sources, source('b', 'fans.md')])).toEqual(['README.md', 'README.md', 'fans.md']);
  });

  it('are paths where two documents have one name', () => {
    expect(
      titlesOf([
        source('a', 'README.md', 'pumps/README.md'),
        source('b', 'README.md', 'fans/README.md'),
        source('c', 'x'),
      ]),
    ).toEqual(['pumps/README.md', 'fans/README.md', 'x']);
    expect(titlesOf([source('a', 'README.md', 'pumps/README.md'), source('b', 'README.md')])).toEqual([
      'pumps/README.md',
      'README.md',
    ]);
  });

  it('say the day of the upload where the paths are the same', () => {
    expect(titlesOf([source('a', 'travel.md'), source('b', 'travel.md', null, '2026-09-02')])).toEqual([
      'travel.md (uploaded 2026-05-01)',
      'travel.md (uploaded 2026-09-02)',
    ]);
  });
});
