import { rmSync, statSync } from 'node:fs';
import type { ParsedDocument, ParseRequest } from '../document-parser.port.js';
import { canonicalCharset } from '../charset/charset-names.js';
import type { FormatResult } from '../formats/format-parser.js';
import { FORMAT_PARSERS } from '../formats/registry.js';
import { ParseOutput } from '../output/parse-output.js';
import { decideType } from './decide-type.js';
import { EmbeddedReader } from './embedded-reader.js';

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
    const options = request.options ?? {};
    const { path, fileName, workDirectory } = request;
    const embedded = EmbeddedReader.forUpload(mediaType, workDirectory, options);
    result = await parse({ path, sizeBytes, options, fileName, workDirectory, embedded }, output);
  } catch (error) {
    output.close();
    rmSync(output.textPath, { force: true });
    rmSync(output.blocksPath, { force: true });
    throw error;
  }
  output.close();
  return describe(mediaType, result, output, request);
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
