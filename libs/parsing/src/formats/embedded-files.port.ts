import type { ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';

/** A file inside of another: an attachment, a member of an archive. */
export interface EmbeddedFile {
  /** Where its bytes lie; the reader only reads them. */
  path: string;
  /** Its name inside of the container; decides the type as an uploaded file's name does. */
  fileName: string;
  declaredMediaType?: string;
  /** Encoding named by the container; text formats only. */
  charset?: string;
}

/** Read, or left out with a reason for the user. Nothing is written for a file that is left out. */
export type EmbeddedOutcome =
  | { kind: 'read'; title?: string; warnings: ParseWarning[]; fidelity: Record<string, number | string> }
  | { kind: 'skipped'; reason: string };

/** How an embedded file's text is written. */
export interface EmbeddedPlace {
  /** Written as a heading of this level before the text; the file's own headings go below it. */
  heading: { text: string; level: number };
}

/**
 * Reads files inside of the file being parsed with the parsers of their own formats, in the same process, and appends
 * their text and blocks. Depth, number and bytes are bounded over the whole upload.
 */
export interface EmbeddedFiles {
  /** A fresh path below the work directory for the bytes of one embedded file; the caller removes the file. */
  makePath(): string;
  /** The usual extension of a type that can be read, without its dot. */
  extensionOf(mediaType: string): string | undefined;
  /** Counts bytes that were unpacked; throws `ARCHIVE_LIMIT` when the whole upload unpacks to too much. */
  countBytes(bytes: number): void;
  /** Appends the text of one file. Throws `TEXT_TOO_LONG` and, for what must end the whole parse, `ARCHIVE_LIMIT`. */
  read(file: EmbeddedFile, output: ParseOutput, place: EmbeddedPlace): Promise<EmbeddedOutcome>;
}
