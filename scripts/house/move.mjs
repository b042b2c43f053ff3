/**
 * Moves files of the sources from a list, with `git mv`, and mends every relative path in TypeScript and scripts that leads to or from them:
 * imports, doors, `new URL(…, import.meta.url)`. Specs move with their file. A line of the list is `from to`, where `to` is a file or, with a
 * slash at its end, a folder: `node scripts/house/move.mjs LIST`. It changes nothing else, and names the pages that still say the old paths.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';
import { ROOT, walk } from './sources.mjs';

const CODE = '{src,libs,test,bench,scripts,console}/**/*.{ts,tsx,mts,js,mjs,cjs}';
const BUILT = /(^|\/)(node_modules|dist)\//;

/** @param {string} path */
const posix = (path) => path.replaceAll('\\', '/');

/**
 * Where each file goes, its specs included.
 * @param {string} list @param {readonly string[]} files Those that there are.
 * @returns {Map<string, string>}
 */
export function readMoves(list, files) {
  /** @type {Map<string, string>} */
  const moves = new Map();
  for (const line of list.split('\n').filter((text) => text.trim() !== '' && !text.startsWith('#'))) {
    const [from = '', to = ''] = line.trim().split(/\s+/);
    if (!files.includes(from)) throw new Error(`"${line}": there is no ${from}.`);
    const target = to.endsWith('/') ? `${to}${basename(from)}` : to;
    const stem = from.replace(/\.ts$/, '');
    for (const file of files) {
      const [, spec] = file.startsWith(`${stem}.`) ? (/(\.(?:int-)?spec\.ts)$/.exec(file) ?? []) : [];
      if (spec === undefined || file !== `${stem}${spec}`) continue;
      moves.set(file, target.replace(/\.ts$/, spec));
    }
    moves.set(from, target);
  }
  const targets = [...moves.values()];
  const taken = targets.filter((to, index) => targets.indexOf(to) !== index || (files.includes(to) && !moves.has(to)));
  if (taken.length > 0) throw new Error(`More than one file would be ${taken.join(', ')}.`);
  return moves;
}

/**
 * The text of a file with its relative paths as they are after the moves.
 * @param {string} path Where the file is before. @param {string} text @param {ReadonlyMap<string, string>} moves
 * @param {(path: string) => boolean} exists Before the moves.
 */
export function mendPaths(path, text, moves, exists) {
  const home = dirname(moves.get(path) ?? path);
  /** @type {{ start: number, end: number, to: string }[]} */
  const edits = [];
  walk(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), (node) => {
    if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return;
    if (!/^\.\.?\//.test(node.text)) return;
    // Dots alone are a value, unless they lead somewhere.
    if (/^[./]+$/.test(node.text) && !ts.isNewExpression(node.parent)) return;
    const found = leadsTo(posix(normalize(join(dirname(path), node.text))), exists);
    if (found === undefined || !(moves.has(path) || moves.has(found.file))) return;
    const target = moves.get(found.file) ?? found.file;
    const mended = relativeTo(home, target) + (node.text.endsWith('/') ? '/' : '');
    const to = found.isScript ? mended.replace(/\.ts$/, '.js') : mended;
    if (to !== node.text) edits.push({ start: node.getStart() + 1, end: node.getEnd() - 1, to });
  });
  return edits.toReversed().reduce((all, { start, end, to }) => all.slice(0, start) + to + all.slice(end), text);
}

/** @param {string} path @param {(path: string) => boolean} exists */
function leadsTo(path, exists) {
  const source = path.replace(/\.js$/, '.ts');
  if (source !== path && exists(source)) return { file: source, isScript: true };
  const file = path.replace(/\/$/, '');
  return exists(file) ? { file, isScript: false } : undefined;
}

/** @param {string} from @param {string} to */
function relativeTo(from, to) {
  const path = posix(relative(from, to));
  return path.startsWith('.') ? path : `./${path}`;
}

/** @param {string} listPath */
function main(listPath) {
  const files = globSync(CODE, { cwd: ROOT }).map(posix);
  const ours = files.filter((path) => !BUILT.test(path));
  const moves = readMoves(readFileSync(listPath, 'utf8'), ours);
  const exists = (/** @type {string} */ path) => existsSync(join(ROOT, path));
  const mended = ours.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, after: mendPaths(path, text, moves, exists) };
  });
  for (const [from, to] of moves) {
    mkdirSync(join(ROOT, dirname(to)), { recursive: true });
    execFileSync('git', ['mv', from, to], { cwd: ROOT });
  }
  const changed = mended.filter(({ text, after }) => text !== after);
  for (const { path, after } of changed) writeFileSync(join(ROOT, moves.get(path) ?? path), after);
  console.log(`${moves.size} files moved, paths mended in ${changed.length}.`);
  tellWhoNames([...moves.keys()]);
}

/** @param {readonly string[]} paths */
function tellWhoNames(paths) {
  const args = ['grep', '-nF', ...paths.flatMap((path) => ['-e', path]), '--', '.', ':!docs/adr', ':!CHANGELOG.md'];
  try {
    console.log(`These still name an old path:\n${execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })}`);
  } catch (error) {
    // git grep ends with 1 when nothing is found.
    if (/** @type {{ status?: number }} */ (error).status !== 1) throw error;
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , list] = process.argv;
  if (list === undefined) throw new Error('Give a list of moves: node scripts/house/move.mjs LIST');
  main(list);
}
