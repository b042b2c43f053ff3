import { describe, expect, it } from 'vitest';
import { fullPlaceOf, storageLow, storageLowOf } from './storage-low.js';

const failure = (message: string, code?: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });

describe('storage.low', () => {
  it.each([
    ['PostgreSQL', failure('could not extend file', '53100'), 'database'],
    ['the file system', failure('ENOSPC: no space left on device, write', 'ENOSPC'), 'volume'],
    ['a quota', failure('EDQUOT: disk quota exceeded', 'EDQUOT'), 'volume'],
    [
      'LanceDB',
      failure('LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)'),
      'volume',
    ],
    ['DuckDB', failure('IO Error: Could not write file "t.parquet": No space left on device'), 'volume'],
    ['an error around it', failure('the checkpoint failed', undefined, failure('disk full', '53100')), 'database'],
  ])('is what %s says in its own words', (_who, error, place) => {
    expect(fullPlaceOf(error)).toBe(place);
    expect(storageLowOf(error)).toMatchObject({ code: 'storage.low', status: 507, retryAfter: 30, cause: error });
  });

  it.each([
    failure('permission denied', 'EACCES'),
    failure('too many connections', '53300'),
    failure('There is no space left between the words'),
    'ENOSPC',
    undefined,
  ])('is nothing else', (error) => {
    expect(storageLowOf(error)).toBeUndefined();
  });

  it('tells the figures in words and in numbers', () => {
    const figures = { free_bytes: 70, reserve_bytes: 65, needed_bytes: 25 };
    const error = storageLow('volume', { figures });
    expect(error.message).toContain('70 bytes free, of which 65 are kept in reserve, and 25 are needed');
    expect(error.figures).toEqual(figures);
  });

  it('comes to an end on causes in a circle', () => {
    const error = failure('around');
    (error as { cause?: unknown }).cause = error;
    expect(fullPlaceOf(error)).toBeUndefined();
  });
});
