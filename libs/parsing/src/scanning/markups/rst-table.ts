import type { MarkupTable } from './markup-table.js';

/** Longer lines of fields are divided at each comma, within quotes as well. */
const MOST_QUOTED_UNITS = 10_000;

/** A table that a directive of reStructuredText writes: `list-table` or `csv-table`. */
export function directiveTable(lines: readonly string[]): MarkupTable | undefined {
  const [, kind, title = ''] = /^\.\. (list|csv)-table::\s*(.*)$/.exec(lines[0]!) ?? [];
  const option = (name: string): string | undefined =>
    lines.map((line) => new RegExp(`^\\s+:${name}:\\s*(.*)$`).exec(line)?.[1]).find((value) => value !== undefined);
  const body = lines.slice(1).filter((line) => /\S/.test(line) && !/^\s+:[\w-]+:/.test(line));
  const marked = Number(option('header-rows') ?? 0) || 0;
  const head = option('header');
  const rows = kind === 'csv' ? body.map((line) => fieldsOf(line)) : rowsOfList(body);
  if (head !== undefined) rows.unshift(fieldsOf(head));
  const headerRows = marked + (head === undefined ? 0 : 1);
  return { rows, ...(title !== '' && { caption: title.trim() }), ...(headerRows > 0 && { headerRows }) };
}

/** `* - first`, `  - second`, and lines that go on. */
function rowsOfList(lines: readonly string[]): string[][] {
  const rows: string[][] = [];
  for (const line of lines) {
    const [, star, words] = /^\s*([*-])?\s*(?:(?<=[*-]\s*)-\s*)?(.*)$/.exec(line) ?? [];
    if (star === '*') rows.push([words!.replace(/^-\s*/, '').trim()]);
    else if (star === '-') rows.at(-1)?.push(words!.trim());
    else {
      const row = rows.at(-1);
      if (row !== undefined) row[row.length - 1] = `${row.at(-1)!} ${words!.trim()}`.trim();
    }
  }
  return rows;
}

function fieldsOf(line: string): string[] {
  if (line.length > MOST_QUOTED_UNITS) return line.split(',').map((field) => field.trim());
  const fields = line.trim().match(/(?:"(?:[^"]|"")*"|[^,])+|(?<=,|^)(?=,|$)/g) ?? [];
  return fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
}
