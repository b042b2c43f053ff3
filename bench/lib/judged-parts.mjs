/** Rows and chunks with verdicts of the semantic filter without any model, as the service judges them. */
import { readFileSync } from 'node:fs';
import { TableReader, TableScan } from '../../dist/libs/tabular/src/index.js';
import { ReadingBounds } from '../../dist/src/modules/tables/semantic-filter/reading-time.js';
import { RowJudge } from '../../dist/src/modules/tables/semantic-filter/row-judge.service.js';
import { TableRows } from '../../dist/src/modules/tables/semantic-filter/table-rows.repository.js';

const LIMITS = { maxColumns: 300, maxRows: 1_000_000, maxCells: 5_000_000 };

/** Verdicts by the row's number in the file, from 1. */
export async function judgeRows(path, predicate) {
  const table = readTable(path);
  const catalogue = { visibleTables: async () => [table.described] };
  const queries = { run: async (_ctx, _dataset, { params, limit }) => table.page(params[0], limit) };
  const bounds = new ReadingBounds(60_000, 8_000_000);
  const question = { dataset: 'bench', predicate, bounds, signal: new AbortController().signal };
  const { judged } = await new RowJudge(catalogue, new TableRows(queries)).judge({}, question);
  return new Map(judged.map((verdict) => [verdict.subject.row.number, verdict]));
}

/** Sentences of the documents, each as a chunk: `d3.2` is the second one of `d3`. */
export function sentencesOf(documents) {
  return documents.flatMap(({ id, text }) =>
    text.split(/(?<=[.!?])\s+/).map((sentence, index) => ({ id: `${id}.${index + 1}`, text: sentence })),
  );
}

function readTable(path) {
  const rows = readCells(readFileSync(path, 'utf8'));
  const scan = new TableScan({ headerRows: 'auto', types: new Map(), language: 'en', hasGrid: false }, LIMITS);
  for (const row of rows) scan.add(row);
  const plan = scan.finish();
  const reader = new TableReader(plan);
  const typed = rows.flatMap((row) => reader.read(row) ?? []).filter(({ isTotal }) => !isTotal);
  const columns = plan.columns.map(({ name, label }) => ({ name, label }));
  const part = { documentId: 'bench', documentName: 'bench', generation: '1', rowCount: typed.length };
  return {
    described: { name: 't', kind: 'single', columns, parts: [part] },
    page: (after, limit) => {
      const left = typed.filter(({ row }) => row > after);
      const shown = left.slice(0, limit);
      const rowSources = shown.map(({ row }) => ({ row }));
      return { columns, rows: shown.map(({ values }) => values), rowSources, truncated: left.length > limit };
    },
  };
}

/** Cells of a CSV file with commas or semicolons and without line breaks in cells. */
function readCells(text) {
  const lines = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/);
  const sign = lines[0].includes(';') ? ';' : ',';
  return lines.map((line, index) => {
    const cells = line.match(new RegExp(`("(?:[^"]|"")*"|[^${sign}]*)(?:${sign}|$)`, 'g')) ?? [];
    const plain = cells.map((cell) =>
      cell
        .replace(new RegExp(`${sign}$`), '')
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"'),
    );
    return { row: index + 1, cells: plain.slice(0, cells.at(-1) === '' ? -1 : undefined) };
  });
}
