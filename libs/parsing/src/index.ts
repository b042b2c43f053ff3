export { inflate, openArchive, type Archive, type ArchiveEntry } from './archive/archive-reader.js';
export { unpackArchive, type UnpackedFile, type UnpackOptions } from './archive/unpack-archive.js';
export { decideType, type NamedFile } from './child/decide-type.js';
export { canonicalCharset } from './charset/charset-names.js';
export {
  DocumentParser,
  type CharsetFinding,
  type ParsedDocument,
  type ParseOptions,
  type ParseRequest,
  type ParserIsolation,
  type ParseWarning,
} from './document-parser.port.js';
export { ParseError, PARSE_ERROR_CODES, type ParseErrorCode, type ParseErrorData } from './parse-error.js';
export { defineFormat, type ContentFamily, type FormatDefinition } from './formats/format-definition.js';
export type { FormatInput, FormatParser, FormatResult } from './formats/format-parser.js';
export { SERVICE_EXTENSION } from './formats/use-formats.js';
export { DEFAULT_SEGMENT_UNITS, readSegments, readTextRange, type TextSegment } from './read-segments.js';
export { DETECTION_HEAD_BYTES, detectMediaType, type MediaTypeDecision } from './media-type/detect-media-type.js';
export {
  extensionOf,
  isSupported,
  listAddedFormats,
  listOwnMediaTypes,
  registerFormats,
  supportedDescription,
  ZIP,
} from './media-type/known-types.js';
export type { UnseenLook, UnseenText } from './output/unseen-text.js';
export type { LocateRequest, PagePlaces, PlacedText, TextBox } from './places/page-places.js';
export { ChildProcessParser } from './pool/child-process-parser.js';
export { DEFAULT_POOL_OPTIONS, type ParserPoolOptions } from './pool/pool-options.js';
export { ParsingModule } from './parsing.module.js';
export { limitedCommand, type ChildCommand } from './pool/child-command.js';
export { Exchange } from './sandbox/exchange.js';
export { INPUT_FOLDER } from './sandbox/mount-table.js';
export { Sandbox, type Isolation } from './sandbox/sandbox.js';
