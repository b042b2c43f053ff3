import type { Conversion } from '../conversion/conversion-needed.js';
import type { FormatDefinition } from '../formats/format-definition.js';
import type { ParsedDocument, ParseRequest } from '../document-parser.port.js';
import type { ParseErrorData } from '../parse-error.js';
import type { LocateRequest, PagePlaces } from '../places/page-places.js';

/** What a child does, one thing at a time. */
export type ParserTask =
  | { type: 'parse'; request: ParseRequest }
  /** Say where a text is on a page; `folder` is one to write to. */
  | { type: 'locate'; request: LocateRequest; folder: string };

/** From the parent. */
export type ParserCommand = ParserTask & {
  id: number;
  /** Formats of other packages; the same ones in every command. */
  formats: readonly FormatDefinition[];
};

/** Resources that a child has used in its life, sent with every answer. */
export interface ChildUsage {
  cpuSeconds: number;
  rssBytes: number;
}

/** From the child: the end of one command. */
export type ParserAnswer =
  | { type: 'parsed'; id: number; document: ParsedDocument; usage: ChildUsage }
  | { type: 'located'; id: number; places: PagePlaces; usage: ChildUsage }
  | { type: 'failed'; id: number; error: ParseErrorData; usage: ChildUsage }
  /** The file must be converted first; `error` is the answer where that is not possible. */
  | { type: 'conversion'; id: number; conversion: Conversion; error: ParseErrorData; usage: ChildUsage };
