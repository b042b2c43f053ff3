import { ParseError } from '../parse-error.js';
import { openArchive } from './archive-reader.js';

/** Bytes of the header before the content of an entry, without its name. */
const LOCAL_HEADER_BYTES = 30;

/**
 * Refuses an archive whose entries lie upon each other: so a few bytes are many files, each of which looks harmless by itself. Programs
 * that pack files write them one behind the other. Throws `ARCHIVE_LIMIT`, and `MALFORMED` for a broken directory.
 */
export async function refuseOverlaps(path: string): Promise<void> {
  const archive = await openArchive(path);
  const places: [number, number][] = [];
  try {
    for await (const { raw } of archive.entries()) {
      const start = raw.relativeOffsetOfLocalHeader;
      if (raw.compressedSize > 0)
        places.push([start, start + LOCAL_HEADER_BYTES + raw.fileNameLength + raw.compressedSize]);
    }
  } finally {
    archive.close();
  }
  places.sort(([a], [b]) => a - b);
  let end = 0;
  for (const [from, to] of places) {
    if (from < end) {
      const detail = 'Files of the archive overlap, as in a decompression bomb; pack them again.';
      throw new ParseError('ARCHIVE_LIMIT', detail);
    }
    end = to;
  }
}
