import type { ArchiveEntry } from './archive-reader.js';

/** What systems put into archives beside the files that people put there. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** True for what systems add to archives, for folders and for files without content (`__init__.py`), which are no loss. */
export function isBesideFiles({ name, raw }: ArchiveEntry): boolean {
  return name.endsWith('/') || NOISE.test(name) || (raw.uncompressedSize === 0 && raw.compressedSize <= 2);
}

const KIND_OF_FILE = 0o170000;
const LINK = 0o120000;

/** True for a symbolic link, whose content is the path of another file and nothing to read. */
export function isLink({ externalFileAttributes }: ArchiveEntry['raw']): boolean {
  return ((externalFileAttributes >>> 16) & KIND_OF_FILE) === LINK;
}
