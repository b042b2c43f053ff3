import { toNormalForm, type FieldProblem } from '#libs/common';

/** Maximum length of a document's path in UTF-16 code units. */
export const MAX_PATH_LENGTH = 1024;
/** An absolute path: of Unix, of a drive or of a network share. */
const ABSOLUTE = /^\s*(?:[\\/]|[A-Za-z]:[\\/])/;
/** Control characters and characters that change the writing direction. */
const FORBIDDEN = /\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u;

/** The identity by which uploads match documents of a dataset: the path, or the name if there is no path. */
export function identityOf({ path, name }: { readonly path: string | null; readonly name: string }): string {
  return path ?? name;
}

/**
 * A path in its stored form: Unicode form NFC, trimmed, parts joined by `/` (`\` is converted), without empty parts and `.`. Empty: nothing
 * is left.
 */
export function normalisePath(path: string): string {
  const parts = toNormalForm(path, 'NFC').trim().split(/[\\/]/);
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** The problem of a path as it was sent; undefined: none. */
function problemOf(sent: string): Omit<FieldProblem, 'pointer'> | undefined {
  if (FORBIDDEN.test(sent)) return { code: 'is_path', detail: 'must be a path without control characters' };
  if (ABSOLUTE.test(sent)) {
    return { code: 'is_path', detail: 'must be relative to the uploaded folder, not absolute' };
  }
  if (/[\\/]\s*$/.test(sent)) {
    return { code: 'is_path', detail: 'must end with the name of the file, not with a folder' };
  }
  const path = normalisePath(sent);
  if (path.split('/').includes('..')) {
    return { code: 'is_path', detail: 'must not contain ".."' };
  }
  if (path.length > MAX_PATH_LENGTH) {
    return { code: 'max_length', detail: `must have at most ${MAX_PATH_LENGTH} characters` };
  }
  return undefined;
}

/** Paths of the files of a form, in the order of the files; null: the file has no path. */
export interface SentPaths {
  /** Undefined: no field was sent. */
  readonly paths: readonly (string | null)[] | undefined;
  readonly problems: readonly FieldProblem[];
}

/**
 * Reads the field `path` of a form with this number of files: one value for each file, or none at all; an empty value means a file without
 * a path.
 */
export function readPaths(sent: readonly string[] | undefined, files: number): SentPaths {
  if (sent === undefined) return { paths: undefined, problems: [] };
  if (sent.length !== files) {
    const detail = `must be sent once for each file, in the order of the files: ${files} file(s), ${sent.length} path(s)`;
    return { paths: undefined, problems: [{ pointer: '/path', code: 'one_for_each_file', detail }] };
  }
  const problems = sent.flatMap((path, index): FieldProblem[] => {
    const problem = problemOf(path);
    const pointer = sent.length === 1 ? '/path' : `/path/${index}`;
    return problem === undefined ? [] : [{ pointer, ...problem }];
  });
  return { paths: sent.map((path) => normalisePath(path) || null), problems };
}
