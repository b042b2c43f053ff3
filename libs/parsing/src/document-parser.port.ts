import type { UnseenText } from './output/unseen-text.js';
import type { LocateRequest, PagePlaces } from './places/page-places.js';

/** Options for one file. */
export interface ParseOptions {
  /** Encoding label (WHATWG) that outranks detection; a byte order mark still wins. Text formats only. */
  charset?: string;
  /** Whether to leave out lines that repeat at the top or bottom of pages; default false: each of them stays once, without page numbers. PDF only. */
  headerFooterRemoval?: boolean;
  /** `auto` reads scanned pages with Tesseract where it is installed; default `off`. PDF only. */
  ocr?: 'off' | 'auto';
  /** `exclude` leaves out content that a reader does not see; default `include`. Workbooks and presentations only. */
  hidden?: 'include' | 'exclude';
  /** Maximum length of the canonical text in UTF-16 code units; a longer text is `TEXT_TOO_LONG`. Default 536,870,912. */
  maxTextUnits?: number;
}

/** One file to parse. */
export interface ParseRequest {
  /** Absolute path of the file on the local disk; it is only read. */
  path: string;
  /** Name as uploaded; its extension is one of three hints for the type. */
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
  /** Number of U+FFFD in the canonical text, including those that were in the file. */
  replacedCharacters: number;
}

/** A warning for the reader of the document; the parse succeeded. */
export interface ParseWarning {
  code: string;
  detail: string;
}

/** Contents of the two output files of a short document. */
export interface ShortText {
  text: string;
  blocks: string;
}

/** The result of a parse. Text and blocks are in files, so that a long document need not be held in memory. */
export interface ParsedDocument {
  mediaType: string;
  charset?: CharsetFinding;
  /** Canonical text as UTF-16LE without byte order mark: code unit n is at byte 2n. Well-formed, without NUL. */
  textPath: string;
  /** NDJSON, one `Block` of `#libs/text` per line, ascending by `start`, without overlaps. */
  blocksPath: string;
  /** Only for a short document, instead of its two files, which do not exist then. `readSegments` reads both forms. */
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

/** Isolation of the processes that read files. `reason`: why they have limits only. */
export interface ParserIsolation {
  kind: 'namespaces' | 'limits';
  reason?: string;
}

/**
 * Turns a file into canonical text and blocks with positions.
 *
 * Rejects with `ParseError` for bad input and with the signal's reason for an aborted call; any other error is a defect of the parser. A call has
 * a deadline of its own that grows with the size of the file.
 */
export abstract class DocumentParser {
  /** Parses one file. The output files are in `request.workDirectory`; after a failure they are removed. */
  abstract parse(request: ParseRequest, options?: { signal?: AbortSignal }): Promise<ParsedDocument>;
  /**
   * Locates a stretch of a PDF's canonical text on its pages. Only the needed pages of the file are read again. These calls do not share the
   * limit of `parse`, so that they do not wait for documents that are being parsed. Rejects as `parse` does.
   */
  abstract locate(request: LocateRequest, options?: { signal?: AbortSignal }): Promise<PagePlaces>;
  /** Isolation of the parser processes; determined once. */
  abstract describeIsolation(): Promise<ParserIsolation>;
  /** Ends the processes of the parser; running calls fail with `PARSER_CRASHED`. Idempotent. */
  abstract close(): Promise<void>;
}
