import { readFileSync } from 'node:fs';
import { ParseError } from '../../parse-error.js';
import type { FormatParser } from '../format-parser.js';
import { parseEml } from './eml.parser.js';
import { readMimePart } from './mime-part.js';
import { pageOf, stylesOf } from './saved-page.js';
import { writePage } from './write-page.js';

/** The whole file is in memory at once. */
const MAX_BYTES = 48 * 1024 * 1024;

/** Pages that browsers save as one file (RFC 2557): the page itself, without its styles, pictures and frames. */
export const parseMhtml: FormatParser = (input, output) => {
  if (input.sizeBytes > MAX_BYTES) {
    const mebibytes = MAX_BYTES / 1024 / 1024;
    throw new ParseError('PARSER_MEMORY', `The page is larger than ${mebibytes} MiB; save it without its pictures.`);
  }
  const message = readMimePart(readFileSync(input.path));
  const page = pageOf(message);
  return page === undefined ? parseEml(input, output) : writePage(page, input, output, stylesOf(message));
};
