import type { ArchiveEntry } from './archive-reader.js';

/** What systems put into archives beside the files that people put there. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** True for what systems add to archives, for folders and for files without content (`__init__.py`), which are no loss. */
export function isBesideFiles({ name, raw }: ArchiveEntry): boolean {
  return name.endsWith('/') || NOISE.test(name) || (raw.uncompressedSize === 0 && raw.compressedSize <= 2);
}
