import { describe, expect, it } from 'vitest';
import { identityOf, MAX_PATH_LENGTH, normalisePath, readPaths } from './document-path.js';

describe('The path of a document', () => {
  it.each([
    ['docs/guide/intro.md', 'docs/guide/intro.md'],
    ['./docs//guide/./intro.md', 'docs/guide/intro.md'],
    ['/docs/intro.md', 'docs/intro.md'],
    ['docs\\guide\\intro.md', 'docs/guide/intro.md'],
    ['  docs/a b.md ', 'docs/a b.md'],
    ['cafe\u0301/menu.md', 'caf\u00e9/menu.md'],
    ['./', ''],
  ])('%j is stored as %j', (sent, kept) => {
    expect(normalisePath(sent)).toBe(kept);
  });

  it('identifies documents, and the name does if there is no path', () => {
    expect(identityOf({ path: 'a/README.md', name: 'README.md' })).toBe('a/README.md');
    expect(identityOf({ path: null, name: 'README.md' })).toBe('README.md');
  });
});

describe('The paths of a form', () => {
  it('are undefined if none were sent', () => {
    expect(readPaths(undefined, 2)).toEqual({ paths: undefined, problems: [] });
  });

  it('belong to the files in their order, and an empty one means a file without a path', () => {
    expect(readPaths(['a/x.md', ''], 2)).toEqual({ paths: ['a/x.md', null], problems: [] });
  });

  it('are refused when their number differs from that of the files, because it is unclear to which files they belong', () => {
    expect(readPaths(['a/x.md'], 2).problems).toEqual([
      expect.objectContaining({ pointer: '/path', code: 'one_for_each_file' }),
    ]);
  });

  it('may have at most 1,024 characters', () => {
    const longest = `a/${'x'.repeat(MAX_PATH_LENGTH - 2)}`;
    expect(readPaths([longest], 1)).toEqual({ paths: [longest], problems: [] });
    expect(readPaths([`${longest}x`], 1).problems).toEqual([
      expect.objectContaining({ pointer: '/path', code: 'max_length' }),
    ]);
  });

  it.each([
    ['/docs/x.md'],
    [' /x.md'],
    ['C:\\docs\\x.md'],
    ['d:/x.md'],
    ['\\\\server\\share\\x.md'],
    ['../secret.md'],
    ['docs/../../x.md'],
    ['docs\\..\\x.md'],
    ['docs/'],
    ['a\u0000b.md'],
    ['a/\u202ecod.md'],
  ])('%j is refused, with a pointer to its field', (path) => {
    expect(readPaths(['fine.md', path], 2).problems).toEqual([
      expect.objectContaining({ pointer: '/path/1', code: 'is_path' }),
    ]);
  });
});
