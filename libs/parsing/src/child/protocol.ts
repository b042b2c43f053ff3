import type { Conversion } from '../conversion/conversion-needed.js';
import type { FormatDefinition } from '../formats/format-definition.js';
import type { ParsedDocument, ParseRequest } from '../document-parser.port.js';
import type { ParseErrorData } from '../parse-error.js';

/** From the parent: parse one file. A child works on one at a time. */
export interface ParseCommand {
  type: 'parse';
  id: number;
  request: ParseRequest;
  /** Formats of other packages; the same ones in every command. */
  formats: readonly FormatDefinition[];
}

/** Resources that a child has used in its life, sent with every answer. */
export interface ChildUsage {
  cpuSeconds: number;
  rssBytes: number;
}

/** From the child: the end of one command. */
export type ParseAnswer =
  | { type: 'parsed'; id: number; document: ParsedDocument; usage: ChildUsage }
  | { type: 'failed'; id: number; error: ParseErrorData; usage: ChildUsage }
  /** The file must be converted first; `error` is the answer where that is not possible. */
  | { type: 'conversion'; id: number; conversion: Conversion; error: ParseErrorData; usage: ChildUsage };
