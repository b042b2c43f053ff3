import type { CharsetFinding, ParseOptions, ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';
import type { EmbeddedFiles } from './embedded-files.port.js';

/** One file of a known type, as input of a format parser. */
export interface FormatInput {
  path: string;
  sizeBytes: number;
  options: ParseOptions;
  /** Name as uploaded, for formats that depend on it (the language of source code). */
  fileName: string;
  /** Existing directory for temporary files; the parser removes the files that it creates. */
  workDirectory: string;
  /** Reads files embedded in this one. */
  embedded: EmbeddedFiles;
}

/** Result of a format parser besides the text and blocks that it wrote. */
export interface FormatResult {
  charset?: CharsetFinding;
  pageCount?: number;
  title?: string;
  warnings?: ParseWarning[];
  fidelity?: Record<string, number | string>;
}

/** Reads one format. Runs inside the limited child process; throws `ParseError` for bad input. */
export type FormatParser = (input: FormatInput, output: ParseOutput) => Promise<FormatResult>;
