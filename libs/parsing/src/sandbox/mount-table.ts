import type { VisiblePath } from './visible-paths.js';

/** Bound of the memory that temporary files of one sandbox take. */
const TEMPORARY_BYTES = 256 * 1024 * 1024;
const TEMPORARY_FILES = 20_000;

/** Where a sandbox puts its file system together, and the folders of this machine that it shares. */
export interface MountPlan {
  /** Folder that becomes the root of the sandbox; holds an empty place for everything that is mounted. */
  readonly root: string;
  readonly visible: readonly VisiblePath[];
  /** Read only in the sandbox, at `INPUT_FOLDER`. */
  readonly input: string;
  /** Written by the sandbox, at `OUTPUT_FOLDER`. */
  readonly output: string;
}

/** Folders of a sandbox as its programs name them. */
export const INPUT_FOLDER = '/exchange/in';
export const OUTPUT_FOLDER = '/exchange/out';
export const TEMPORARY_FOLDER = '/exchange/tmp';

/** The mounts of a sandbox in the format of fstab(5), in order. */
export function mountTable({ root, visible, input, output }: MountPlan): string {
  const lines = [
    bind(root, root, 'bind,ro,nosuid,nodev,noexec'),
    ...visible.flatMap((entry) => (entry.kind === 'link' ? [] : [bindVisible(root, entry)])),
    bind(input, root + INPUT_FOLDER, 'bind,ro,nosuid,nodev,noexec'),
    bind(output, root + OUTPUT_FOLDER, 'bind,nosuid,nodev,noexec'),
    mount(
      'tmpfs',
      root + TEMPORARY_FOLDER,
      'tmpfs',
      `size=${TEMPORARY_BYTES},nr_inodes=${TEMPORARY_FILES},mode=1777,nosuid,nodev,noexec`,
    ),
  ];
  return lines.join('');
}

function bindVisible(root: string, { kind, path }: VisiblePath): string {
  // A device keeps its flags: without `dev` it could not be opened.
  if (kind === 'device') return bind(path, root + path, 'bind');
  // `rbind`: a folder that others are mounted into may not be shown without them.
  return bind(path, root + path, kind === 'folder' ? 'rbind,ro,nosuid,nodev' : 'bind,ro,nosuid,nodev');
}

function bind(source: string, target: string, options: string): string {
  return mount(source, target, 'none', options);
}

function mount(source: string, target: string, type: string, options: string): string {
  return `${escape(source)} ${escape(target)} ${type} ${options} 0 0\n`;
}

/** White space and backslashes are written in octal. */
function escape(path: string): string {
  return path.replaceAll(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
