import { rmSync, statSync } from 'node:fs';
import type { ParsedDocument, ParseRequest } from '../document-parser.port.js';
import type { FormatResult } from '../formats/format-parser.js';
import { findParser } from '../formats/find-parser.js';
import { reportFidelity } from '../output/fidelity-report.js';
import { ParseOutput } from '../output/parse-output.js';
import { unusableResult } from '../trusted-blocks.js';
import { trustedReport } from '../trusted-report.js';
import { decideType } from './decide-type.js';
import { EmbeddedReader } from './embedded-reader.js';

/** Longest canonical text when the request names none: 1 GiB as UTF-16. */
const DEFAULT_MAX_TEXT_UNITS = 512 * 1024 * 1024;

/** Decides the type of a file and runs its parser, in this very process. Throws `ParseError`. */
export async function parseDocument(request: ParseRequest): Promise<ParsedDocument> {
  const sizeBytes = statSync(request.path).size;
  const mediaType = await decideType(request);
  const output = new ParseOutput(request.workDirectory, request.options?.maxTextUnits ?? DEFAULT_MAX_TEXT_UNITS);
  let result: FormatResult;
  try {
    const parse = await findParser(mediaType);
    const options = request.options ?? {};
    const { path, fileName, workDirectory } = request;
    const embedded = EmbeddedReader.forUpload(mediaType, workDirectory, options);
    result = await parse({ path, sizeBytes, options, fileName, workDirectory, embedded }, output);
    refuseOddResult(result);
  } catch (error) {
    output.close();
    rmSync(output.textPath, { force: true });
    rmSync(output.blocksPath, { force: true });
    throw error;
  }
  output.close();
  const { textPath, blocksPath, position: textLength } = output;
  const { charset, pageCount, title } = result;
  const report = reportFidelity(result, output, { sizeBytes, options: request.options ?? {} });
  const unseen = output.locateUnseen();
  // Looked at here too: what is immense is not sent.
  return trustedReport({ mediaType, charset, textPath, blocksPath, textLength, pageCount, title, unseen, ...report });
}

/** The parser of a package may return anything. */
function refuseOddResult(result: unknown): void {
  if (!isObject(result)) throw unusableResult();
  const { warnings, fidelity, charset } = result;
  const isRight =
    (warnings === undefined || (Array.isArray(warnings) && warnings.every(isObject))) &&
    (fidelity === undefined || isObject(fidelity)) &&
    (charset === undefined || isObject(charset));
  if (!isRight) throw unusableResult();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
