import { openArchive } from '../archive/archive-reader.js';
import { DOCX, ZIP } from './known-types.js';

/** Parts that show what a ZIP archive without a telling name really is. */
const TELLING_PARTS: Readonly<Record<string, string>> = {
  'word/document.xml': DOCX,
  'xl/workbook.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'ppt/presentation.xml': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'META-INF/container.xml': 'application/epub+zip',
};
const MAX_ENTRIES_READ = 2000;

/** The media type of an archive by the names of its parts; nothing is inflated. Throws `MALFORMED`. */
export async function refineArchiveType(path: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    let read = 0;
    for await (const { name } of archive.entries()) {
      if (Object.hasOwn(TELLING_PARTS, name)) return TELLING_PARTS[name]!;
      read += 1;
      if (read >= MAX_ENTRIES_READ) break;
    }
    return ZIP;
  } finally {
    archive.close();
  }
}
