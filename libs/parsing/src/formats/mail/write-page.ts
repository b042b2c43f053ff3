import { rmSync, statSync, writeFileSync } from 'node:fs';
import { canonicalCharset } from '../../charset/charset-names.js';
import type { ParseOutput } from '../../output/parse-output.js';
import type { FormatInput, FormatResult } from '../format-parser.js';
import { readHtml } from '../html.parser.js';
import { decodeBody, parameterOf, type MimePart } from './mime-part.js';

/** Reads the part of a saved page that is the page; `css`: what its style sheets say. */
export async function writePage(
  page: MimePart,
  input: FormatInput,
  output: ParseOutput,
  css = '',
): Promise<FormatResult> {
  const path = input.embedded.makePath();
  const declared = canonicalCharset(parameterOf(page.headers.get('content-type'), 'charset') ?? '');
  const charset = input.options.charset ?? declared;
  try {
    writeFileSync(path, decodeBody(page), { mode: 0o600 });
    const options = { ...input.options, ...(charset !== undefined && { charset }) };
    return await readHtml({ ...input, path, sizeBytes: statSync(path).size, options }, output, css);
  } finally {
    rmSync(path, { force: true });
  }
}
