import { rmSync, statSync } from 'node:fs';
import type { ParsedDocument, ParseRequest } from '../document-parser.port.js';
import { canonicalCharset } from '../charset/detect-charset.js';
import { readHead } from '../charset/file-chunks.js';
import type { FormatResult } from '../formats/format-parser.js';
import { FORMAT_PARSERS } from '../formats/registry.js';
import { DETECTION_HEAD_BYTES, detectMediaType } from '../media-type/detect-media-type.js';
import { isSupported, SUPPORTED_MEDIA_TYPES, ZIP, type SupportedMediaType } from '../media-type/known-types.js';
import { refineArchiveType } from '../media-type/refine-archive-type.js';
import { ParseOutput } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';

/** Longest canonical text when the request names none: 1 GiB as UTF-16. */
const DEFAULT_MAX_TEXT_UNITS = 512 * 1024 * 1024;
/** More replaced characters than this share of the text make a warning. */
const REPLACED_SHARE_WORTH_A_WARNING = 0.001;

/** Decides the type of a file and runs its parser, in this very process. Throws `ParseError`. */
export async function parseDocument(request: ParseRequest): Promise<ParsedDocument> {
  const sizeBytes = statSync(request.path).size;
  const mediaType = await decideType(request);
  const output = new ParseOutput(request.workDirectory, request.options?.maxTextUnits ?? DEFAULT_MAX_TEXT_UNITS);
  let result: FormatResult;
  try {
    const parse = await FORMAT_PARSERS[mediaType]();
    result = await parse({ path: request.path, sizeBytes, options: request.options ?? {} }, output);
  } catch (error) {
    output.close();
    rmSync(output.textPath, { force: true });
    rmSync(output.blocksPath, { force: true });
    throw error;
  }
  output.close();
  return describe(mediaType, result, output, request);
}

async function decideType(request: ParseRequest): Promise<SupportedMediaType> {
  const head = readHead(request.path, DETECTION_HEAD_BYTES);
  const decision = await detectMediaType(head, request.fileName, request.declaredMediaType);
  if (decision.problem !== undefined) throw new ParseError(decision.problem.code, decision.problem.detail);
  const mediaType = decision.mediaType === ZIP ? await refineArchiveType(request.path) : decision.mediaType;
  if (isSupported(mediaType)) return mediaType;
  throw unsupportedType(mediaType);
}

function unsupportedType(mediaType: string): ParseError {
  return new ParseError(
    'UNSUPPORTED_TYPE',
    `Files of type ${mediaType} cannot be read; supported are ${SUPPORTED_MEDIA_TYPES.join(', ')}.`,
  );
}

function describe(
  mediaType: string,
  result: FormatResult,
  output: ParseOutput,
  { options }: ParseRequest,
): ParsedDocument {
  const warnings = [...(result.warnings ?? [])];
  if (
    result.charset !== undefined &&
    options?.charset !== undefined &&
    canonicalCharset(options.charset) === undefined
  ) {
    const detail = `The charset ${options.charset} is not known; ${result.charset.name} was detected and used instead.`;
    warnings.push({ code: 'UNKNOWN_CHARSET', detail });
  }
  const replaced = output.replacedCharacters;
  if (replaced > output.position * REPLACED_SHARE_WORTH_A_WARNING) {
    const detail = `${replaced} characters could not be read and were replaced by U+FFFD; check the file's encoding.`;
    warnings.push({ code: 'REPLACED_CHARACTERS', detail });
  }
  return {
    mediaType,
    charset: result.charset,
    textPath: output.textPath,
    blocksPath: output.blocksPath,
    textLength: output.position,
    pageCount: result.pageCount,
    title: result.title,
    warnings,
    fidelity: { ...blockCounts(output), replaced_characters: replaced, ...result.fidelity },
  };
}

function blockCounts(output: ParseOutput): Record<string, number> {
  return Object.fromEntries(Object.entries(output.counts).map(([kind, count]) => [`blocks_${kind}`, count]));
}
