import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseBytes, type ParsedBytes } from '../../../../libs/parsing/src/testing/parse-bytes.js';
import { TableReader, TableScan, type CellValue } from '#libs/tabular';
import { answerExtractively } from '#libs/answering';
import { chunkBlocks, detectLanguage, type Chunk, type TextSegment } from '#libs/text';
import { rowsOfSegments, type FoundRow } from './segment-tables.js';

const FOLDER = fileURLToPath(new URL('../../../../test/fixtures/field/', import.meta.url));
const LIMITS = { maxColumns: 200, maxRows: 100_000, maxCells: 1_000_000 };

interface ReadTable {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly (CellValue | null)[])[];
  readonly totals: number;
}

async function* segmentsOf({ text, blocks }: ParsedBytes): AsyncGenerator<TextSegment> {
  yield await Promise.resolve({ start: 0, text, blocks });
}

async function tablesOf(read: ParsedBytes, language: string | null): Promise<ReadTable[]> {
  const byTable = new Map<number, FoundRow[]>();
  for await (const rows of rowsOfSegments(segmentsOf(read))) {
    for (const row of rows) byTable.set(row.table.index, [...(byTable.get(row.table.index) ?? []), row]);
  }
  return [...byTable.values()].flatMap((rows) => {
    const { markedRows, sheet } = rows[0]!.table;
    const rules = { headerRows: 'auto', markedRows, types: new Map(), language, hasGrid: sheet !== null } as const;
    const scan = new TableScan(rules, LIMITS);
    for (const row of rows) scan.add(row);
    const plan = scan.finish();
    if (plan === undefined) return [];
    const reader = new TableReader(plan);
    const typed = rows.flatMap((row) => reader.read(row) ?? []);
    return {
      columns: plan.columns.map(({ label }) => label),
      types: plan.columns.map(({ reading }) => reading.type),
      rows: typed.filter(({ isTotal }) => !isTotal).map(({ values }) => values),
      totals: typed.filter(({ isTotal }) => isTotal).length,
    };
  });
}

async function chunksOf(read: ParsedBytes, size = 512): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of chunkBlocks(segmentsOf(read), { chunk_size: size })) chunks.push(chunk);
  return chunks;
}

function ask(question: string, chunks: readonly Chunk[], name: string): string {
  const sources = chunks.map((chunk, index) => ({
    number: index + 1,
    text: chunk.text,
    score: 1,
    title: [name, ...chunk.headingPath].join('\n'),
  }));
  return answerExtractively(question, sources, { maxSentences: 1 })?.answer.replace(/ \[\d+\]$/, '') ?? '';
}

const readFile = (file: string): Promise<ParsedBytes> =>
  parseBytes(readFileSync(FOLDER + file), file.replace(/^.*\//, ''));

describe('one head of a table, for what is counted, searched and quoted', () => {
  it.each(['01-year-headers/staffing.html', '01-year-headers/staffing.xlsx'])(
    'joins years over two columns each with the words below: %s',
    async (file) => {
      const read = await readFile(file);
      const [table] = await tablesOf(read, 'en');
      expect(table!.columns).toEqual([
        'Region',
        'Office',
        '2024 Headcount',
        '2024 Cost',
        '2025 Headcount',
        '2025 Cost',
      ]);
      expect(table!.types).toEqual(['text', 'text', 'integer', 'integer', 'integer', 'integer']);
      expect(table!.rows).toHaveLength(5);
      const answer = ask('What was the headcount in Oslo in 2025?', await chunksOf(read), file);
      expect(answer).toContain('2025 Headcount: 21');
      expect(answer).toContain('Oslo');
      expect(answer).not.toContain('Lund');
    },
  );

  it('knows the header of a table on each page that it goes on upon', async () => {
    const read = await readFile('05-pdf-table-continued/parts.pdf');
    const tables = await tablesOf(read, 'en');
    expect(tables.map(({ columns, rows }) => [columns, rows.length])).toEqual([
      [['Part no', 'Description', 'Stock', 'Unit price'], 100],
    ]);
    expect(tables[0]!.rows.reduce((sum, [, , stock]) => sum + Number(stock), 0)).toBe(10_454);
    for (const size of [64, 512]) {
      const chunks = await chunksOf(read, size);
      const bodies = chunks.filter(({ text }) => !text.includes('Part no'));
      expect(bodies.map(({ headingPath }) => headingPath.at(-1))).toEqual(
        bodies.map(() => 'Part no | Description | Stock | Unit price'),
      );
      expect(ask('What is the unit price of P-1063?', chunks, 'parts.pdf')).toBe('Part no: P-1063; Unit price: 43.50.');
    }
  });

  it('takes the header below the title lines of an export, and tells the language of the document', async () => {
    const read = await readFile('06-csv-with-title-lines/export.csv');
    const [table] = await tablesOf(read, 'de');
    expect(table).toMatchObject({ columns: ['Filiale', 'PLZ', 'Artikelnr', 'Umsatz', 'Datum'], totals: 1 });
    const answer = ask('Wie hoch ist der Umsatz in Leipzig?', await chunksOf(read), 'export.csv');
    expect(answer).toContain('Filiale: Leipzig');
    expect(answer).toContain('Umsatz: 12.034,00');
    expect(answer).not.toMatch(/Dresden|Umsatzbericht/);
    expect(detectLanguage(read.text)?.language).toBe('de');
  });

  it('reads a note under a table as what it is, and a total row with its columns', async () => {
    const csv =
      'Branch;Sales;Date\nOslo;12;2025-01-03\nLund;30;2025-01-04\nTotal;42;\nNote: sales exclude returns by mail;;\n';
    const read = await parseBytes(csv, 'sales.csv');
    const [table] = await tablesOf(read, 'en');
    expect(table).toMatchObject({ totals: 1, rows: [{ length: 3 }, { length: 3 }] });
    const chunks = await chunksOf(read);
    expect(ask('Do sales exclude returns by mail?', chunks, 'sales.csv')).toBe('Note: sales exclude returns by mail.');
    expect(ask('What is the total?', chunks, 'sales.csv')).toBe('Branch: Total; Sales: 42.');
  });
});
