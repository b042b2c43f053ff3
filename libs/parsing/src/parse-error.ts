/** Why a file could not be parsed. Codes are stable: they are stored with the document and shown to the user. */
export const PARSE_ERROR_CODES = [
  'EMPTY_FILE',
  'UNSUPPORTED_TYPE',
  'TYPE_MISMATCH',
  'MALFORMED',
  'ENCRYPTED',
  'ARCHIVE_LIMIT',
  'PARSER_TIMEOUT',
  'PARSER_MEMORY',
  'PARSER_CRASHED',
  'TEXT_TOO_LONG',
  'CONVERTER_MISSING',
] as const;

export type ParseErrorCode = (typeof PARSE_ERROR_CODES)[number];

/** Codes after which another attempt with the same file may succeed: the cause may be the machine instead of the file. */
const RETRYABLE: ReadonlySet<ParseErrorCode> = new Set(['PARSER_TIMEOUT', 'PARSER_CRASHED']);

/** A `ParseError` as plain data, to be sent between processes. */
export interface ParseErrorData {
  code: ParseErrorCode;
  detail: string;
  retryable: boolean;
}

/** The file cannot be parsed; `detail` is written for the person who uploaded it and says what to change. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  readonly code: ParseErrorCode;
  readonly detail: string;
  readonly retryable: boolean;

  constructor(code: ParseErrorCode, detail: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = detail;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
  }

  /** The error without stack and cause. */
  toData(): ParseErrorData {
    return { code: this.code, detail: this.detail, retryable: this.retryable };
  }

  /** The reverse of `toData`. */
  static fromData(data: ParseErrorData): ParseError {
    return new ParseError(data.code, data.detail, { retryable: data.retryable });
  }
}
