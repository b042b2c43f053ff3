import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { ArrayElements } from '../json/array-elements.js';
import { readJson } from '../json/json-value.js';
import { JsonWriter } from '../json/json-writer.js';
import { ValueStreamWriter } from '../json/value-stream-writer.js';
import type { ParseOutput } from '../output/parse-output.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';
import { parseJsonLines } from './json-lines.parser.js';
import { parsePlainText } from './text.parser.js';

const MAX_START_UNITS = 1024 * 1024;
/** The tree of a document takes some fifteen times its bytes; this is what a child can hold. */
export const MAX_TREE_BYTES = 16 * 1024 * 1024;

/**
 * JSON and GeoJSON: `path: value` lines and tables. A long document is streamed when it is an array or lines of JSON. What
 * is no valid JSON, or is too long for a tree, is read as plain text, with a warning: nothing is lost.
 */
export const parseJson: FormatParser = async (input, output) => {
  if (input.sizeBytes > MAX_TREE_BYTES) return parseLong(input, output);
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const pieces: string[] = [];
  for await (const piece of decodeFile(input.path, charset.name)) pieces.push(piece);
  const value = readJson(pieces.join(''));
  if (value === undefined) {
    if (beginsWithJsonLine(await readStart(input.path))) return parseJsonLines(input, output);
    const detail = 'The file is not valid JSON, or is nested too deeply; it was read as plain text.';
    return { ...(await parsePlainText(input, output)), warnings: [{ code: 'MALFORMED_JSON', detail }] };
  }
  const writer = new JsonWriter(output);
  writer.write(value);
  const { tables, tableRows, geometries } = writer.findings;
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    title: titleOf(value),
    fidelity: {
      tables,
      table_rows: tableRows,
      ...(geometries > 0 && { geometries, skipped: 'coordinates of geometries' }),
    },
  };
};

/** A document that is too long to be held: an array element by element, lines one by one, anything else as it is. */
async function parseLong(input: FormatInput, output: ParseOutput): Promise<FormatResult> {
  const start = await readStart(input.path);
  if (beginsWithJsonLine(start)) return parseJsonLines(input, output);
  if (!start.trimStart().startsWith('[')) {
    const detail = `The file is longer than ${MAX_TREE_BYTES / 1024 / 1024} MiB and was read as plain text; JSON Lines has no such limit.`;
    return { ...(await parsePlainText(input, output)), warnings: [{ code: 'READ_AS_PLAIN_TEXT', detail }] };
  }
  const charset = await detectCharset(input.path, { explicit: input.options.charset });
  const writer = new ValueStreamWriter(output, 'element');
  const elements = new ArrayElements((text) => writer.write(text));
  for await (const piece of decodeFile(input.path, charset.name)) elements.feed(piece);
  elements.finish();
  return { charset: { ...charset, replacedCharacters: output.replacedCharacters }, ...writer.finish() };
}

/** The text up to the end of the second line, or its first million characters. */
async function readStart(path: string): Promise<string> {
  const { name } = await detectCharset(path);
  let start = '';
  for await (const piece of decodeFile(path, name)) {
    start += piece;
    if (/\n[^]*\n/.test(start) || start.length > MAX_START_UNITS) break;
  }
  return start;
}

/** Whether the first line is a JSON object or array of its own, and the second one begins another. */
function beginsWithJsonLine(start: string): boolean {
  const [line = '', next = ''] = start.trimStart().split('\n', 2);
  return /^[[{]/.test(line) && /^\s*[[{]/.test(next) && readJson(line) !== undefined;
}

/** The `title` of the outermost object, else its `name`. */
function titleOf(value: ReturnType<typeof readJson>): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { title, name } = value as Record<string, unknown>;
  const text = typeof title === 'string' ? title : name;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, 300) : undefined;
}
