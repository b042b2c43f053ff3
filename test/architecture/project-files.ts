import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What .gitignore keeps out of the repository, and the repository itself. */
const NOT_OURS = new Set([
  'node_modules',
  'dist',
  'data',
  '.git',
  '.cache',
  'coverage',
  '.hypothesis',
  '.schemathesis',
  '.env',
]);
const TEXT =
  /\.(ts|mjs|cjs|js|json|md|ya?ml|sh|txt|html|sql|example|conf)$|(^|\/)(run|Dockerfile[^/]*|\.npmrc|\.gitignore|\.prettierignore)$/;

/** Paths of the project's text files from its root, with forward slashes, sorted. */
export function listProjectFiles(): string[] {
  return list(ROOT).sort();
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name) || entry.isSymbolicLink()) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return list(path);
    const shown = relative(ROOT, path).replaceAll('\\', '/');
    return TEXT.test(shown) ? [shown] : [];
  });
}

/** The text of a file of `listProjectFiles`. */
export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
