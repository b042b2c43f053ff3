import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A path of this machine that a program in a sandbox sees, at the same place, and may not change. */
export type VisiblePath =
  | { readonly kind: 'folder' | 'file' | 'device'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** Programs, libraries, fonts and their configuration. No home, no `/var` but for caches, no `/run`, no `/sys`. */
const SYSTEM_PATHS = [
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share'].map((name) => `/usr/${name}`),
  ...['bin', 'lib', 'lib64', 'share'].map((name) => `/usr/local/${name}`),
  '/nix/store',
  '/gnu/store',
  ...['alternatives', 'fonts', 'libreoffice', 'localtime', 'ld.so.cache'].map((name) => `/etc/${name}`),
  '/var/cache/fontconfig',
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/** The build's folder, or the project's where the sources run. */
const CODE = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');

/**
 * What a parser needs: the system's programs and libraries, Node, the packages, the libs of this project and the folders of
 * further programs. Folders in `hidden` are not shown, wherever they lie: of a folder that holds one, the rest is shown.
 */
export function visiblePaths(hidden: readonly string[], programFolders: readonly string[]): VisiblePath[] {
  const project = projectFolder();
  const secret = hidden.map(realPath);
  const ours = [
    join(project, 'package.json'),
    join(project, 'node_modules'),
    ...packagesAround(project),
    join(CODE, 'libs'),
    // Where the sources run, what they import by the name of a lib is of the build.
    join(project, 'dist', 'libs'),
    process.execPath,
  ];
  return withoutNested([
    ...SYSTEM_PATHS.flatMap((path) => reveal(path, [...secret, project])),
    ...[...ours, ...programFolders].flatMap((path) => reveal(path, secret)),
    ...DEVICES.filter(isThere).map((path) => ({ kind: 'device' as const, path })),
  ]);
}

/** Whether `path` lies in `folder`, or is it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function projectFolder(): string {
  return isThere(join(CODE, 'package.json')) ? CODE : dirname(CODE);
}

/** The packages beside the service where it is one of them itself. */
function packagesAround(project: string): string[] {
  const at = project.indexOf(`${sep}node_modules${sep}`);
  return at < 0 ? [] : [join(project.slice(0, at), 'node_modules')];
}

/** A path with what it links to. */
function reveal(path: string, secret: readonly string[]): VisiblePath[] {
  if (!isThere(path)) return [];
  const shown = expand(path, secret);
  return shown[0]?.kind === 'link' ? [...shown, ...expand(realpathSync(path), secret)] : shown;
}

function expand(path: string, secret: readonly string[]): VisiblePath[] {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return [{ kind: 'link', path, target: readlinkSync(path) }];
  if (secret.includes(path)) return [];
  if (stats.isFile()) return [{ kind: 'file', path }];
  if (!stats.isDirectory()) return [];
  if (!secret.some((one) => isWithin(one, path))) return [{ kind: 'folder', path }];
  return readdirSync(path).flatMap((name) => expand(join(path, name), secret));
}

function withoutNested(paths: readonly VisiblePath[]): VisiblePath[] {
  const folders = paths.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const seen = new Set<string>();
  return paths.filter(({ path }) => {
    const isCovered = seen.has(path) || folders.some((folder) => folder !== path && isWithin(path, folder));
    seen.add(path);
    return !isCovered;
  });
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realPath(path: string): string {
  return isThere(path) ? realpathSync(path) : path;
}
