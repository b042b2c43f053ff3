import { inflate, openArchive, type Archive, type ArchiveEntry } from '../archive/archive-reader.js';
import { ZIP } from './known-types.js';
import { DOCX, ODP, ODS, ODT, PPTX, XLSB, XLSX } from './office-types.js';

/** Parts that show what a ZIP archive without a telling name really is. */
const TELLING_PARTS: Readonly<Record<string, string>> = {
  'word/document.xml': DOCX,
  'xl/workbook.xml': XLSX,
  'xl/workbook.bin': XLSB,
  'ppt/presentation.xml': PPTX,
  'META-INF/container.xml': 'application/epub+zip',
};
/** What the part named `mimetype` says, for formats that have one; templates count as what they are templates of. */
const TELLING_TYPES: Readonly<Record<string, string>> = {
  'application/epub+zip': 'application/epub+zip',
  ...Object.fromEntries(
    [ODT, ODS, ODP].flatMap((type) => [
      [type, type],
      [`${type}-template`, type],
    ]),
  ),
};
const MAX_TYPE_BYTES = 200;
const MAX_ENTRIES_READ = 2000;

/** The media type of an archive by the names of its parts and its part `mimetype`; nothing else is inflated. Throws `MALFORMED`. */
export async function refineArchiveType(path: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    let read = 0;
    for await (const entry of archive.entries()) {
      const { name } = entry;
      const told = name === 'mimetype' ? TELLING_TYPES[await readStart(archive, entry)] : undefined;
      if (told !== undefined) return told;
      if (Object.hasOwn(TELLING_PARTS, name)) return TELLING_PARTS[name]!;
      read += 1;
      if (read >= MAX_ENTRIES_READ) break;
    }
    return ZIP;
  } finally {
    archive.close();
  }
}

async function readStart(archive: Archive, entry: ArchiveEntry): Promise<string> {
  if (entry.isEncrypted) return '';
  let text = '';
  for await (const piece of inflate(archive, entry)) {
    text += piece.toString('latin1');
    if (text.length > MAX_TYPE_BYTES) break;
  }
  return text.trim();
}
