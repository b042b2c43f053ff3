import type { ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';

/** An embedded file: an attachment, a member of an archive. */
export interface EmbeddedFile {
  /** Path of the bytes, which are only read. */
  path: string;
  /** Name inside the container; a hint for the type, like the name of an uploaded file. */
  fileName: string;
  declaredMediaType?: string;
  /** Encoding named by the container; text formats only. */
  charset?: string;
}

/** Outcome for an embedded file: read, or skipped with a reason for the user. For a skipped file nothing is written. */
export type EmbeddedOutcome =
  | { kind: 'read'; title?: string; warnings: ParseWarning[]; fidelity: Record<string, number | string> }
  | { kind: 'skipped'; reason: string };

/** Place of an embedded file's text in the output. */
export interface EmbeddedPlace {
  /** Heading of this level before the text; the file's own headings are put below it. Without one the text goes on where the container's ends. */
  heading?: { text: string; level: number };
}

/**
 * Reads files embedded in the file being parsed with the parsers of their formats, in the same process, and appends their text and blocks. Depth,
 * number and bytes are limited for the whole upload.
 */
export interface EmbeddedFiles {
  /** A new path below the work directory for the bytes of one embedded file; the caller removes the file. */
  makePath(): string;
  /** The usual extension of a type that can be read, without its dot. */
  extensionOf(mediaType: string): string | undefined;
  /** Counts unpacked bytes; throws `ARCHIVE_LIMIT` when the whole upload unpacks to too many. */
  countBytes(bytes: number): void;
  /** Appends the text of one file. Throws `TEXT_TOO_LONG` and `ARCHIVE_LIMIT`, which end the whole parse. */
  read(file: EmbeddedFile, output: ParseOutput, place: EmbeddedPlace): Promise<EmbeddedOutcome>;
}
