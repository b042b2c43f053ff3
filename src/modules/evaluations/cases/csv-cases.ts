import { validationFailed } from '#libs/http';

const COLUMNS = ['query', 'document_id', 'chunk_id', 'text', 'expected_answer', 'answerable', 'tags'] as const;
type Column = (typeof COLUMNS)[number];

interface RawCase {
  readonly query: string;
  readonly relevant: Record<string, string>[];
  readonly tags: Set<string>;
  expected_answer?: string;
  answerable?: boolean;
}

/**
 * Reads cases from CSV (RFC 4180, with a header row; comma, semicolon or tab). Rows with the same query are one case, and each adds an item to
 * `relevant`. Tags are separated by `|`. The result must still be checked by `parseCases`.
 * @throws `http.validation_failed`
 */
export function readCsvCases(csv: string, pointer: string): object[] {
  const rows = parseCsv(csv.replace(/^\uFEFF/, ''), pointer);
  const header = (rows.shift() ?? []).map((name) => name.trim().toLowerCase());
  refuseHeader(header, pointer);
  const cases = new Map<string, RawCase>();
  for (const [index, row] of rows.entries()) {
    if (row.length !== header.length)
      throw problem(pointer, `row ${index + 2} has ${row.length} fields, the header has ${header.length}`);
    const field = (name: Column): string => row[header.indexOf(name)]?.trim() ?? '';
    const query = field('query');
    const one = cases.get(query) ?? { query, relevant: [], tags: new Set<string>() };
    cases.set(query, one);
    addRow(one, field, `row ${index + 2}`, pointer);
  }
  return [...cases.values()].map(({ tags, ...one }) => ({ ...one, tags: [...tags] }));
}

function addRow(one: RawCase, field: (name: Column) => string, row: string, pointer: string): void {
  const item: Record<string, string> = {};
  for (const name of ['document_id', 'chunk_id', 'text'] as const) if (field(name) !== '') item[name] = field(name);
  if (Object.keys(item).length > 0) one.relevant.push(item);
  for (const tag of field('tags').split('|')) if (tag.trim() !== '') one.tags.add(tag.trim());
  if (field('expected_answer') !== '') one.expected_answer = field('expected_answer');
  const answerable = field('answerable').toLowerCase();
  if (answerable === '') return;
  if (answerable !== 'true' && answerable !== 'false')
    throw problem(pointer, `${row}: answerable must be true or false`);
  one.answerable = answerable === 'true';
}

function refuseHeader(header: readonly string[], pointer: string): void {
  if (!header.includes('query')) throw problem(pointer, `the first row must name the columns, query among them`);
  const unknown = header.find((name) => !COLUMNS.some((known) => known === name));
  if (unknown !== undefined)
    throw problem(pointer, `unknown column "${unknown.slice(0, 64)}"; known: ${COLUMNS.join(', ')}`);
  if (new Set(header).size < header.length) throw problem(pointer, 'a column is named twice');
}

/** Rows of fields; empty rows are left out. */
function parseCsv(text: string, pointer: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const read = text[at] === '"' ? readQuoted(text, at, pointer) : readPlain(text, at, separator);
    row.push(read.field);
    at = read.end;
    const next = text[at];
    if (next === separator) {
      at += 1;
      if (at === text.length) row.push('');
      continue;
    }
    if (next !== undefined && next !== '\n' && next !== '\r')
      throw problem(pointer, `row ${rows.length + 1}: a quoted field is followed by other characters`);
    at += next === '\r' && text[at + 1] === '\n' ? 2 : 1;
    endRow();
  }
  if (row.length > 0) endRow();
  return rows;
}

function readQuoted(text: string, start: number, pointer: string): { field: string; end: number } {
  let field = '';
  for (let at = start + 1; ;) {
    const end = text.indexOf('"', at);
    if (end === -1) throw problem(pointer, 'a quoted field is not closed');
    field += text.slice(at, end);
    if (text[end + 1] !== '"') return { field, end: end + 1 };
    field += '"';
    at = end + 2;
  }
}

function readPlain(text: string, start: number, separator: string): { field: string; end: number } {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { field: text.slice(start, end), end };
}

function separatorOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  return [',', ';', '\t'].find((one) => header.includes(one)) ?? ',';
}

function problem(pointer: string, detail: string): Error {
  return validationFailed([{ pointer, code: 'csv', detail }]);
}
