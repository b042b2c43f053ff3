import { rmSync, writeFileSync } from 'node:fs';
import { readFileChunks } from '../../charset/file-chunks.js';
import type { ParseWarning } from '../../document-parser.port.js';
import { ParseError } from '../../parse-error.js';
import type { FormatInput, FormatParser, FormatResult } from '../format-parser.js';
import { parseEml } from './eml.parser.js';

/** The line before each message of a mailbox (RFC 4155): `From ann@example.org Mon Jan  1 10:00:00 2024`. */
const BEGIN = /^From \S.*\d\d:\d\d(?::\d\d)?.*\d{4}.*$/;
/** How that line is written within a message; one `>` was put before it. */
const QUOTED = /^>+From /;
/** Remarks of single messages that are passed on; more say nothing new. */
const MOST_WARNINGS = 50;
const LINE_FEED = 10;

/** A mailbox: its messages one after the other, each under its subject. */
export const parseMbox: FormatParser = async (input, output) => {
  const warnings: ParseWarning[] = [];
  const fidelity: Record<string, number> = { messages: 0 };
  for await (const message of messagesOf(input.path)) {
    fidelity['messages'] = fidelity['messages']! + 1;
    const result = await readOne(message, input, output, fidelity['messages']);
    for (const [name, value] of Object.entries(result.fidelity ?? {})) {
      if (typeof value === 'number') fidelity[name] = (fidelity[name] ?? 0) + value;
    }
    warnings.push(...(result.warnings ?? []).slice(0, Math.max(0, MOST_WARNINGS - warnings.length)));
  }
  return { warnings, fidelity };
};

/** A message that cannot be read costs none of the others. */
async function readOne(
  message: Buffer,
  input: FormatInput,
  output: Parameters<FormatParser>[1],
  number: number,
): Promise<FormatResult> {
  const path = input.embedded.makePath();
  try {
    writeFileSync(path, message, { mode: 0o600 });
    return await parseEml({ ...input, path, sizeBytes: message.length, fileName: 'message.eml' }, output);
  } catch (error) {
    if (!(error instanceof ParseError) || error.code === 'TEXT_TOO_LONG' || error.code === 'ARCHIVE_LIMIT') throw error;
    return { warnings: [{ code: 'PARTIAL_CONTENT', detail: `Message ${number} was left out: ${error.detail}` }] };
  } finally {
    rmSync(path, { force: true });
  }
}

/** The messages of a mailbox, one at a time, without the lines between them. */
async function* messagesOf(path: string): AsyncGenerator<Buffer> {
  let lines: Buffer[] = [];
  let isAfterBlank = true;
  for await (const line of linesOf(path)) {
    const words = line
      .subarray(0, 200)
      .toString('latin1')
      .replace(/[\r\n]+$/, '');
    if (isAfterBlank && BEGIN.test(words)) {
      if (lines.length > 0) yield Buffer.concat(lines);
      lines = [];
    } else lines.push(QUOTED.test(words) ? line.subarray(1) : line);
    isAfterBlank = words === '';
  }
  if (lines.some((line) => line.length > 2)) yield Buffer.concat(lines);
}

/** Lines with their ends. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  for await (const chunk of readFileChunks(path)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...pieces.splice(0), chunk.subarray(from, end + 1)]);
      from = end + 1;
    }
    // A copy: what the reader hands out may be used again.
    if (from < chunk.length) pieces.push(Buffer.from(chunk.subarray(from)));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}
