import type { QuestionColumn, QuestionTable } from '../question-rules/question-table.js';
import type { TableSketch } from '../question-rules/rank-tables.js';
import type { CellValue, ColumnProfile } from '#libs/tabular';
import { combineTables, type CombinedTable } from '../catalogue/combine-tables.js';
import type { DocumentColumn } from '../catalogue/document-table.entity.js';
import type { ShownTable, TableDetails } from '../catalogue/document-tables.repository.js';

const MAX_SAMPLE = 80;
const MOST_SAMPLES = 10;

/** A table as questions know it, before anything is known of its values. */
export interface TableCandidate extends TableSketch {
  /** Its rows. */
  readonly parts: readonly ShownTable[];
}

/** Combined tables come first: they have all rows of a kind. */
export function candidatesOf(shown: readonly ShownTable[], details: readonly TableDetails[]): TableCandidate[] {
  const combined = combineTables(shown);
  const samples = Map.groupBy(details, placeKey);
  return [...combined.map(toCombined), ...shown.map(toSingle)].map((candidate) => ({
    ...candidate,
    words: [...candidate.words, ...candidate.parts.flatMap((part) => sampleWords(samples.get(placeKey(part)) ?? []))],
  }));
}

/** The same candidate with what its values are like. */
export function withProfiles({ table, parts }: TableCandidate, details: readonly TableDetails[]): QuestionTable {
  const profiles = parts.map(
    (part) =>
      details.find((one) => one.document_id === part.document_id && one.ordinal === part.ordinal)?.profiles ?? [],
  );
  const columns = table.columns.map((column, index): QuestionColumn => {
    const own = profiles.flatMap((each) => each[index] ?? []);
    return own.length === 0 ? column : { ...column, ...mergedProfile(own, parts.length) };
  });
  return { ...table, columns };
}

/** The first values of each column, by its name; of a combined table's last column the names of its documents. */
export function samplesOf(
  { table, parts }: TableCandidate,
  details: readonly TableDetails[],
): Map<string, CellValue[]> {
  const own = parts.flatMap(
    (part) => details.find((each) => each.document_id === part.document_id && each.ordinal === part.ordinal) ?? [],
  );
  return new Map(
    table.columns.map(({ name }, index) => {
      const isDocument = index >= (parts[0]?.columns.length ?? 0);
      const values = isDocument
        ? parts.map(({ document_name }) => document_name)
        : own.flatMap(({ profiles }) => [...(profiles[index]?.samples ?? [])]);
      return [name, [...new Set(values)].slice(0, MOST_SAMPLES)];
    }),
  );
}

function placeKey({ document_id, ordinal }: Pick<TableDetails, 'document_id' | 'ordinal'>): string {
  return `${document_id} ${ordinal}`;
}

/** Texts of the first rows and of profiles. */
function sampleWords(details: readonly TableDetails[]): string[] {
  const cells = details.flatMap(({ profiles, samples }) => [
    ...profiles.flatMap((each) => [...each.samples]),
    ...samples.flat(),
  ]);
  return [...new Set(cells.filter((cell) => typeof cell === 'string'))].map((cell) => cell.slice(0, MAX_SAMPLE));
}

function toSingle(part: ShownTable): TableCandidate {
  const { name, title } = part;
  return {
    table: tableOf(name, title, part.columns, [part]),
    words: [part.document_name, part.sheet ?? ''],
    parts: [part],
  };
}

function toCombined({ name, title, columns, documentColumn, parts }: CombinedTable): TableCandidate {
  const table = tableOf(name, title, columns, parts);
  const document: QuestionColumn = {
    ...unknownValues,
    name: documentColumn,
    label: 'Document',
    type: 'text',
    unit: null,
    nullable: false,
    distinct: parts.length,
  };
  return { table: { ...table, columns: [...table.columns, document] }, words: [], parts };
}

const unknownValues = { distinct: null, min: null, max: null };

function tableOf(
  name: string,
  title: string,
  columns: readonly DocumentColumn[],
  parts: readonly ShownTable[],
): QuestionTable {
  const totals = parts.reduce((sum, part) => sum + part.total_rows, 0);
  return {
    name,
    title,
    columns: columns.map((column) => ({ ...column, ...unknownValues })),
    rowCount: parts.reduce((sum, part) => sum + part.row_count, 0) - totals,
    hasTotals: totals > 0,
  };
}

/** Values of several parts are counted as if none were in two of them. */
function mergedProfile(
  profiles: readonly ColumnProfile[],
  parts: number,
): Pick<QuestionColumn, 'distinct' | 'min' | 'max'> {
  const isKnown = profiles.length === parts && profiles.every(({ distinct }) => distinct !== null);
  return {
    distinct: isKnown ? profiles.reduce((sum, { distinct }) => sum + distinct!, 0) : null,
    min: extreme(
      profiles.map(({ min }) => min),
      -1,
    ),
    max: extreme(
      profiles.map(({ max }) => max),
      1,
    ),
  };
}

function extreme(values: readonly CellValue[], direction: 1 | -1): CellValue {
  return values.reduce((best, value) => {
    if (value === null || typeof value !== typeof (best ?? value)) return best;
    return best === null || (value > best ? 1 : -1) === direction ? value : best;
  }, null);
}
