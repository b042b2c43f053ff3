import { markdownBlocksOf } from './markdown-tables.js';
import { blocksOf, columnsOf, headRowsOf, type SheetBlock } from './sheet-rows.js';

/** A value of a row with the name of its column. */
export interface LabelledCell {
  readonly name: string;
  readonly value: string;
}

/** Words of a passage: text as it is, or a row of a table. */
export type PassagePart = { readonly text: string } | { readonly cells: readonly LabelledCell[] };

/** Where a passage is from. */
export interface PassageSource {
  readonly text: string;
  /** Place of its first code unit in the text of its document. */
  readonly char_start: number;
  /** Headings above it, the last of which may name the columns of its first rows. */
  readonly heading_path?: readonly string[] | undefined;
}

/** A row as its line is written; `names` is undefined where nothing names the columns. */
interface KnownRow {
  readonly isHead: boolean;
  readonly names: readonly string[] | undefined;
  readonly cells: readonly string[];
}

const MARKDOWN_ROW = /^[ \t]*\|.*\|[ \t]*$/m;
const MARKDOWN_RULE = /^[ \t|:-]*-[ \t|:-]*$/;
const BETWEEN_CELLS = ' | ';

/**
 * A passage of a source, with its rows apart: a row alone does not say what its values are. A line that names the columns is left out above rows.
 * A row of which nothing names the columns is text without bars.
 */
export function partsOf(passage: string, source: PassageSource): readonly PassagePart[] {
  const known = rowsOf(source);
  const lines = passage.split('\n');
  const hasRows = lines.some((line) => known.get(line.trim())?.isHead === false);
  const parts: PassagePart[] = [];
  const write = (text: string): void => {
    const last = parts.at(-1);
    if (last !== undefined && 'text' in last) parts[parts.length - 1] = { text: `${last.text}\n${text}` };
    else parts.push({ text });
  };
  for (const line of lines) {
    const row = known.get(line.trim());
    if (row === undefined) {
      if (!(hasRows && MARKDOWN_RULE.test(line) && line.includes('|'))) write(line);
    } else if (row.isHead && hasRows) continue;
    else if (row.isHead || row.names === undefined) write(row.cells.filter((cell) => cell !== '').join(' · '));
    else parts.push({ cells: labelled(row.cells, row.names) });
  }
  return parts.filter((part) => 'cells' in part || part.text.trim() !== '');
}

/** The same in one line of words. */
export function wordsOfRows(passage: string, source: PassageSource): string {
  return partsOf(passage, source)
    .map((part) => ('text' in part ? part.text : wordsOfCells(part.cells)))
    .join('\n');
}

const wordsOfCells = (cells: readonly LabelledCell[]): string =>
  cells.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`)).join(' · ');

const labelled = (cells: readonly string[], names: readonly string[]): readonly LabelledCell[] =>
  cells.map((value, nth) => ({ name: names[nth]!, value })).filter(({ value }) => value !== '');

/** The rows of a source by their lines. */
function rowsOf({ text, char_start: at, heading_path: headings = [] }: PassageSource): ReadonlyMap<string, KnownRow> {
  const isMarkdown = MARKDOWN_ROW.test(text);
  if (!isMarkdown && !text.includes(BETWEEN_CELLS)) return new Map();
  const blocks = isMarkdown ? markdownBlocksOf(text, at, { from: at, to: at + text.length }) : blocksOf(text, at);
  const columns = columnsOf(headings, blocks);
  return new Map(blocks.flatMap((block, nth) => rowsOfBlock(block, nth === 0 ? columns : undefined, text, at)));
}

function rowsOfBlock(
  block: SheetBlock,
  columns: readonly string[] | undefined,
  text: string,
  at: number,
): [string, KnownRow][] {
  if (!('rows' in block)) return [];
  const rows = block.rows.map((row) => row.map(({ from, to }) => text.slice(from - at, to - at).trim()));
  const heads = block.hasHeads ? headRowsOf(rows) : 0;
  const names = heads === 0 ? columns : namesIn(rows.slice(0, heads));
  return block.rows.map((row, nth) => {
    const cells = rows[nth]!;
    const line = lineAround(text, row[0]!.from - at);
    const isNamed = names?.length === cells.length;
    return [line, { isHead: nth < heads, names: isNamed ? names : undefined, cells }];
  });
}

/** The line of a text in which a place is, without the spaces around. */
function lineAround(text: string, place: number): string {
  const end = text.indexOf('\n', place);
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, end === -1 ? text.length : end).trim();
}

/** Names over several columns stand before those below them. */
const namesIn = (heads: readonly (readonly string[])[]): readonly string[] =>
  heads[0]!.map((_, nth) => [...new Set(heads.map((row) => row[nth] ?? ''))].filter((name) => name !== '').join(' '));
