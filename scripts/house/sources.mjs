/** The sources as the figures of `npm run house` and the rules of the house see them. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SPEC = /\.(spec|int-spec)\.[a-z]+$/;
/** Code that tests alone use. */
const FOR_TESTS = /(^|\/)testing\//;
const ROLES =
  /\.(controller|service|repository|entity|dto|port|adapter|module|task|step|stage|events|errors|openapi|processor|guard|parser|data)\.ts$/;

/**
 * @typedef {object} Source
 * @property {string} path From the root of the project, with forward slashes.
 * @property {string} text
 * @property {number} lines
 * @property {boolean} isSpec Specs and what only they use.
 * @property {boolean} hasRole Whether the name says what the file is.
 * @property {string} module `documents` for `src/modules/documents/…`, otherwise empty.
 * @property {string} room First folder below the module; empty for a file at its top.
 * @property {() => ts.SourceFile} tree
 */

/** @param {string} path @param {string} text @returns {Source} */
export function sourceOf(path, text) {
  const [, module = '', room = ''] = /^src\/modules\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
  /** @type {ts.SourceFile | undefined} */
  let tree;
  return {
    path,
    text,
    lines: text.trimEnd().split('\n').length,
    isSpec: SPEC.test(path) || FOR_TESTS.test(path),
    hasRole: ROLES.test(path) || basename(path) === 'index.ts',
    module,
    room,
    tree: () => (tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)),
  };
}

/** All sources of `src` and `libs`, sorted by path. */
export function readSources() {
  const paths = globSync('{src,libs}/**/*.{ts,js,mjs}', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'));
  return paths.toSorted().map((path) => sourceOf(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** Paths of the project's own files that a source imports or re-exports. @param {Source} source */
export function importsOf(source) {
  const { importedFiles } = ts.preProcessFile(source.text, true, true);
  return importedFiles.flatMap(({ fileName }) => pathOf(source, fileName) ?? []);
}

/** The project's own file that a source means by what it writes behind `from`. @param {Source} source @param {string} specifier */
export function pathOf(source, specifier) {
  if (specifier.startsWith('#libs/')) return `libs/${specifier.slice('#libs/'.length)}/src/index.ts`;
  if (!specifier.startsWith('.')) return undefined;
  return normalize(join(dirname(source.path), specifier))
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');
}

/** Sources of modules, without specs. @param {Source} source */
export function inModules({ module, isSpec }) {
  return module !== '' && !isSpec;
}

/** Calls `look` for every node below one. @param {ts.Node} node @param {(node: ts.Node) => void} look */
export function walk(node, look) {
  look(node);
  ts.forEachChild(node, (child) => walk(child, look));
}

/** `path:line` of a node. @param {Source} source @param {ts.Node} node */
export function placeOf(source, node) {
  return `${source.path}:${source.tree().getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

export { ROOT };
