import { describe, expect, it } from 'vitest';
import type { CatalogueError } from '#libs/common';
import { requireSoundEscapes } from './broken-escapes.js';

/** Where the query is refused; empty when it is taken. */
function pointersOf(query: string): readonly string[] {
  try {
    requireSoundEscapes(query);
    return [];
  } catch (error) {
    expect((error as CatalogueError).code).toBe('http.malformed_request');
    return (error as CatalogueError).errors!.map(({ pointer, code }) => `${pointer} ${code}`);
  }
}

describe('the escapes of a query', () => {
  it.each(['', 'q=', 'q', '&&', 'q=a+b', 'q=100%25', 'q=%C3%A9', 'q=a%3Db=c', 'q=%00'])('are taken: %j', (query) => {
    expect(pointersOf(query)).toEqual([]);
  });

  it.each(['q=%ff', 'q=%zz', 'q=%', 'q=a%2', 'q=%C3', 'q=%ED%A0%80', 'limit=1&q=a=%ff'])(
    'are refused where a character is broken: %j',
    (query) => {
      expect(pointersOf(query)).toEqual(['/q percent_escape']);
    },
  );

  it('are refused in each field, and in a name', () => {
    expect(pointersOf('a=%ff&b=1&c%2Fd=%zz&%ff=1')).toEqual([
      '/a percent_escape',
      '/c~1d percent_escape',
      ' percent_escape',
    ]);
  });
});
