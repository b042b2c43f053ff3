import type { CharsetFinding, ParseOptions, ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';
import type { EmbeddedFiles } from './embedded-files.port.js';

/** One file whose type is known, as a format parser sees it. */
export interface FormatInput {
  path: string;
  sizeBytes: number;
  options: ParseOptions;
  /** Name as uploaded, for formats that a name tells apart (the language of source code). */
  fileName: string;
  /** Existing directory for temporary files; anyone who makes one there removes it. */
  workDirectory: string;
  /** Reads files that lie inside of this one. */
  embedded: EmbeddedFiles;
}

/** What a format parser reports besides the text and blocks that it wrote. */
export interface FormatResult {
  charset?: CharsetFinding;
  pageCount?: number;
  title?: string;
  warnings?: ParseWarning[];
  fidelity?: Record<string, number | string>;
}

/** Reads one format. Runs inside the limited child process; throws `ParseError` for bad input. */
export type FormatParser = (input: FormatInput, output: ParseOutput) => Promise<FormatResult>;
