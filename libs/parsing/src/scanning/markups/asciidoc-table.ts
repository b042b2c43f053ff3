import type { MarkupTable } from './markup-table.js';
import { CellGrid } from './cell-grid.js';

const MARK =
  /^(?:\.[^\s.].*|\[[^\]]*(?:cols|options|opts|format|header|separator|width|frame|grid|%|role)[^\]]*\]\s*)$/;
const MOST_COLUMNS = 100;
/** Longer lines say nothing of a table. */
const MOST_MARK_UNITS = 500;
/** Longer lines of fields are divided at each sign, within quotes as well. */
const MOST_QUOTED_UNITS = 10_000;
/** How far the cell behind a bar reaches, how often it is written, and how it looks: `2+^|`, `3*|`, `a|`. */
const SPECIFIER = /(?:^|[\s|])(?:(\d+)?(?:\.(\d+))?([+*]))?[<^>]?(?:\.[<^>])?[adehlmsv]?$/;

/** Whether a line above a table may name it, or say how it is to be read. */
export function isAsciidocMark(line: string): boolean {
  return line.length <= MOST_MARK_UNITS && MARK.test(line.trimEnd());
}

/** A table of AsciiDoc, from its marks to the line that ends it. */
export function asciidocTable(lines: readonly string[], marks: number): MarkupTable | undefined {
  const above = lines.slice(0, marks);
  const attributes = above.filter((line) => line.startsWith('[')).join(' ');
  const caption = above
    .find((line) => line.startsWith('.'))
    ?.slice(1)
    .trim();
  const fence = lines[marks]!.trim();
  const body = lines.slice(marks + 1, -1);
  const sign = /separator="?([^\s",\]])/.exec(attributes)?.[1] ?? signOf(fence, attributes);
  const isMarked = /%header|\b(?:options|opts)="?[^"\]]*header/.test(attributes);
  const first = body.findIndex((line) => /\S/.test(line));
  const isImplied =
    first >= 0 && /\S/.test(body[first]!) && !/\S/.test(body[first + 1] ?? 'x') && !/%noheader/.test(attributes);
  const header = { ...((isMarked || isImplied) && { headerRows: 1 }), ...(caption !== undefined && { caption }) };
  if (sign !== '|' && sign !== '!')
    return { rows: body.filter((line) => /\S/.test(line)).map((line) => fieldsOf(line, sign)), ...header };
  const columns =
    columnsOf(attributes) ?? cellsOf(body[Math.max(first, 0)] ?? '', sign).reduce((sum, { across }) => sum + across, 0);
  if (columns < 2 || columns > MOST_COLUMNS) return undefined;
  const grid = new CellGrid();
  grid.nextRow();
  for (const { text, across, down, times } of cellsOf(body.join('\n'), sign)) {
    for (let time = 0; time < times; time += 1) {
      if (grid.isFull(columns)) grid.nextRow();
      while (grid.isFull(columns)) grid.nextRow();
      grid.add({ text, across, down });
    }
  }
  return { rows: grid.finish(), ...header };
}

function signOf(fence: string, attributes: string): string {
  if (/format="?(?:csv)/.test(attributes) || fence.startsWith(',')) return ',';
  if (/format="?(?:dsv)/.test(attributes) || fence.startsWith(':')) return ':';
  return /format="?(?:tsv)/.test(attributes) ? '\t' : fence.slice(0, 1);
}

/** `3`, `"1,2"`, `2*`, `1,3*`. */
function columnsOf(attributes: string): number | undefined {
  const found = /cols="([^"]+)"|cols=([^\s,\]]+)/.exec(attributes);
  const list = found?.[1] ?? found?.[2];
  if (list === undefined) return undefined;
  const count = /^\d+$/.test(list)
    ? Number(list)
    : list.split(/[,;]/).reduce((sum, one) => sum + (Number(/^\s*(\d{1,2})\*/.exec(one)?.[1]) || 1), 0);
  return count;
}

interface WrittenCell {
  readonly text: string;
  readonly across: number;
  readonly down: number;
  readonly times: number;
}

function cellsOf(text: string, sign: string): WrittenCell[] {
  const pieces = text.split(sign === '|' ? /(?<!\\)\|/ : /(?<!\\)!/);
  const cells: WrittenCell[] = [];
  let before = pieces[0]!;
  for (const piece of pieces.slice(1)) {
    const [, count, down, kind] = SPECIFIER.exec(before) ?? [];
    cells.push({
      text: '',
      across: kind === '+' ? Number(count ?? 1) || 1 : 1,
      down: kind === '+' ? Number(down ?? 1) || 1 : 1,
      times: kind === '*' ? Math.min(Number(count ?? 1) || 1, 100) : 1,
    });
    before = piece;
    const at = cells.length - 2;
    if (at >= 0) cells[at] = { ...cells[at]!, text: textOf(pieces[at + 1]!, true) };
  }
  const last = cells.length - 1;
  if (last >= 0) cells[last] = { ...cells[last]!, text: textOf(pieces[last + 1]!, false) };
  return cells;
}

/** The words of a cell, without the specifier of the next one. */
function textOf(piece: string, hasNext: boolean): string {
  const words = hasNext
    ? piece.replace(/(?:^|\s)(?:(?:\d+)?(?:\.\d+)?[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?$/, '')
    : piece;
  return words
    .replaceAll('\\|', '|')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\*([^*]+)\*$/, '$1');
}

function fieldsOf(line: string, sign: string): string[] {
  if (line.length > MOST_QUOTED_UNITS) return line.split(sign).map((field) => field.trim());
  const fields = line.match(new RegExp(`(?:"(?:[^"]|"")*"|[^${sign}])+|(?<=${sign}|^)(?=${sign}|$)`, 'g')) ?? [];
  return fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
}
