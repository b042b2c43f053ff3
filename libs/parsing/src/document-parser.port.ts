import type { UnseenText } from './output/unseen-text.js';
import type { LocateRequest, PagePlaces } from './places/page-places.js';

/** What a caller may set for one file. */
export interface ParseOptions {
  /** Encoding label (WHATWG) that outranks detection; a byte order mark still wins. Text formats only. */
  charset?: string;
  /** Leave out lines repeated at the top or bottom of pages; default false: each stays once, without page numbers. PDF only. */
  headerFooterRemoval?: boolean;
  /** `auto` reads scanned pages with Tesseract where it is installed; default `off`. PDF only. */
  ocr?: 'off' | 'auto';
  /** `exclude` leaves out cells that a reader does not see; default `include`. Workbooks only. */
  hidden?: 'include' | 'exclude';
  /** Longest canonical text in UTF-16 code units; more is `TEXT_TOO_LONG`. Default 536,870,912. */
  maxTextUnits?: number;
}

/** One file to parse. */
export interface ParseRequest {
  /** Absolute path of the file on the local disk; it is only read. */
  path: string;
  /** Name as uploaded; its extension takes part in the decision about the type. */
  fileName: string;
  /** Media type as declared by the uploader; the weakest of the three hints. */
  declaredMediaType?: string;
  /** Existing directory that receives the output files; one call at a time may use it. The caller removes it. */
  workDirectory: string;
  options?: ParseOptions;
}

/** How the bytes were turned into characters. */
export interface CharsetFinding {
  /** WHATWG name, in lower case, or `utf-32le`/`utf-32be`. */
  name: string;
  /** 0–1; 1 means a byte order mark, an explicit option or text that is valid UTF-8. */
  confidence: number;
  /** Number of U+FFFD in the canonical text, those that stood in the file included. */
  replacedCharacters: number;
}

/** Something the reader of the document should know; the parse still succeeded. */
export interface ParseWarning {
  code: string;
  detail: string;
}

/** What the two files of a short document would hold. */
export interface ShortText {
  text: string;
  blocks: string;
}

/** The result of a parse. Text and blocks lie in files, so that no one has to hold a long document in memory. */
export interface ParsedDocument {
  mediaType: string;
  charset?: CharsetFinding;
  /** Canonical text as UTF-16LE without byte order mark: code unit n is at byte 2n. Well-formed, without NUL. */
  textPath: string;
  /** NDJSON, one `Block` of `#libs/text` per line, ascending by `start`, without overlaps. */
  blocksPath: string;
  /** Only of a short document, in place of its two files, which do not exist then. `readSegments` reads either. */
  short?: ShortText;
  /** Length of the canonical text in UTF-16 code units. */
  textLength: number;
  pageCount?: number;
  title?: string;
  /** Stretches that a reader of the file does not see, ascending, at most 1,000; HTML, DOCX and PDF. */
  unseen?: UnseenText[];
  warnings: ParseWarning[];
  /** Counts that describe what was found and what was lost, for instance `headings`, `tables`, `pages_without_text`. */
  fidelity: Record<string, number | string>;
}

/** How the processes that read files are kept apart from the service, and why by limits alone. */
export interface ParserIsolation {
  kind: 'namespaces' | 'limits';
  reason?: string;
}

/**
 * Turns a file into canonical text and blocks with positions.
 *
 * Bad input rejects with `ParseError`, an aborted call with the signal's reason; anything else is a defect of ours.
 * A call has a deadline of its own that grows with the size of the file.
 */
export abstract class DocumentParser {
  /** Parses one file; the output files appear in `request.workDirectory` and are removed again on failure. */
  abstract parse(request: ParseRequest, options?: { signal?: AbortSignal }): Promise<ParsedDocument>;
  /**
   * Says where a stretch of a PDF's canonical text is drawn. The file is read again, one page of it alone; calls have places of their own
   * beside those of `parse`, so that no one waits for documents that are being read. Rejects as `parse` does.
   */
  abstract locate(request: LocateRequest, options?: { signal?: AbortSignal }): Promise<PagePlaces>;
  /** How files are kept apart; tried once. */
  abstract describeIsolation(): Promise<ParserIsolation>;
  /** Ends what the parser holds; running calls fail with `PARSER_CRASHED`. Idempotent. */
  abstract close(): Promise<void>;
}
