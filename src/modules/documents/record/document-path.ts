import { toNormalForm, type FieldProblem } from '#libs/common';

/** Most characters (UTF-16 code units) of a document's path. */
export const MAX_PATH_LENGTH = 1024;
/** From the top of a file system, of Unix, of a drive or of a server. */
const ABSOLUTE = /^\s*(?:[\\/]|[A-Za-z]:[\\/])/;
/** Control characters and those that turn the direction of writing. */
const FORBIDDEN = /\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u;

/** What documents of a dataset are told apart by: the path where there is one, else the name. */
export function identityOf({ path, name }: { readonly path: string | null; readonly name: string }): string {
  return path ?? name;
}

/**
 * A path as it is kept: parts joined by `/`, also where they were joined by `\`, without empty ones, `.` and white space around the whole,
 * in the Unicode form NFC. Empty: nothing is left.
 */
export function normalisePath(path: string): string {
  const parts = toNormalForm(path, 'NFC').trim().split(/[\\/]/);
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** What is wrong with a path as it was sent. */
function problemOf(sent: string): Omit<FieldProblem, 'pointer'> | undefined {
  if (FORBIDDEN.test(sent)) return { code: 'is_path', detail: 'must be a path without control characters' };
  if (ABSOLUTE.test(sent)) {
    return { code: 'is_path', detail: 'must lead down from the folder that is uploaded, without its place on a disk' };
  }
  if (/[\\/]\s*$/.test(sent)) {
    return { code: 'is_path', detail: 'must end with the name of the file, not with a folder' };
  }
  const path = normalisePath(sent);
  if (path.split('/').includes('..')) {
    return { code: 'is_path', detail: 'must lead down from the top of a folder, without ".."' };
  }
  if (path.length > MAX_PATH_LENGTH) {
    return { code: 'max_length', detail: `must have at most ${MAX_PATH_LENGTH} characters` };
  }
  return undefined;
}

/** Paths of the files of a form in their order; null: the file has none. */
export interface SentPaths {
  /** Undefined: no field was sent. */
  readonly paths: readonly (string | null)[] | undefined;
  readonly problems: readonly FieldProblem[];
}

/** The field `path` of a form with this many files: one value for each file, or none at all; an empty value is a file without a path. */
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
