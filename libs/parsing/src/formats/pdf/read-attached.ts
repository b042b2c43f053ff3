import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { EmbeddedReport, nameAttached } from '../embedded-report.js';
import type { EmbeddedFiles, EmbeddedOutcome } from '../embedded-files.port.js';
import type { ParseOutput } from '../../output/parse-output.js';
import { ATTACHED_MARK, attachedFiles, isEncrypted, type AttachedFile } from './attached-files.js';

const MOST_FILES = 50;
const MOST_FILE_BYTES = 64 * 1024 * 1024;
/** A larger PDF is not held in memory for what is attached to it. */
const MOST_PDF_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;

/** What became of the files that are attached to a PDF. */
export interface AttachedReport {
  readonly report: EmbeddedReport;
  /** Attached files that say the same as the pages, for machines: their text is left out. */
  readonly otherForms: number;
}

/** Reads the files that are attached to a PDF, each under a heading with its name. */
export async function readAttached(
  path: string,
  embedded: EmbeddedFiles,
  output: ParseOutput,
): Promise<AttachedReport> {
  const report = new EmbeddedReport();
  const size = hasAttached(path);
  if (size === undefined) return { report, otherForms: 0 };
  const bytes = size > MOST_PDF_BYTES ? undefined : readFileSync(path);
  if (bytes === undefined || isEncrypted(bytes)) {
    const reason = bytes === undefined ? 'the PDF is too large' : 'the PDF is encrypted';
    report.note('attached files', { kind: 'skipped', reason });
    return { report, otherForms: 0 };
  }
  const files = attachedFiles(bytes);
  const own = files.filter(({ isOtherForm }) => !isOtherForm);
  for (const [index, file] of own.entries()) {
    const name = nameAttached(file, index, embedded);
    report.note(name, index < MOST_FILES ? await readOne(file, name, embedded, output) : TOO_MANY);
  }
  return { report, otherForms: files.length - own.length };
}

const TOO_MANY: EmbeddedOutcome = { kind: 'skipped', reason: `more than ${MOST_FILES} attachments` };

/** The size of a PDF that has the mark of attached files; undefined for all others. */
function hasAttached(path: string): number | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const piece = Buffer.alloc(Math.min(size, PIECE_BYTES) + ATTACHED_MARK.length);
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const read = readSync(file, piece, 0, piece.length, at);
      for (let found = piece.indexOf(ATTACHED_MARK); found >= 0; found = piece.indexOf(ATTACHED_MARK, found + 1)) {
        if (found < read && piece[found + ATTACHED_MARK.length] !== 0x73) return size;
      }
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

async function readOne(
  file: AttachedFile,
  name: string,
  embedded: EmbeddedFiles,
  output: ParseOutput,
): Promise<EmbeddedOutcome> {
  const bytes = file.read(MOST_FILE_BYTES);
  if (bytes === undefined) return { kind: 'skipped', reason: 'damaged or too large' };
  if (bytes.length === 0) return { kind: 'skipped', reason: 'empty' };
  embedded.countBytes(bytes.length);
  const path = embedded.makePath();
  try {
    writeFileSync(path, bytes, { mode: 0o600 });
    const heading = { text: name, level: 2 };
    return await embedded.read({ path, fileName: name, declaredMediaType: file.mediaType }, output, { heading });
  } finally {
    rmSync(path, { force: true });
  }
}
