import { createRequire } from 'node:module';
import type { Data, Field, FixedSizeList, Float32, Schema, Table as ArrowTable } from 'apache-arrow';
import type { DocumentId } from '#libs/common';
import type { ChunkMetadata } from '../../filter.js';
import type { ChunkTerms, IndexedChunk, IndexSpec } from '../../vector-store.port.js';
import { tokensOf, type TokenForm } from './lance-tokens.js';

/**
 * Apache Arrow as LanceDB itself loads it. The package has two copies of its classes, one for `import` and one for `require`;
 * LanceDB uses the second and does not take tables made of the first.
 */
const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');

/** Version of the columns below; a table of another layout counts as one of another specification. */
const LAYOUT = 1;
const SPEC_KEY = 'spec';

export interface TableSpec extends IndexSpec {
  readonly layout: number;
  /** Tables of before do not say it: they hold terms as they were given. */
  readonly tokens?: TokenForm;
}

/** The columns of text of the schema, in its order. */
const TEXT_COLUMNS = ['words', 'grams', 'title'] as const satisfies readonly (keyof ChunkTerms)[];

/**
 * The columns that are written, indexed and searched. N-grams were nine tenths of a table: they are empty now, and what older tables
 * hold of them is not asked. The application ranks by them all the same (ADR 0123).
 */
export const TERM_COLUMNS = ['words', 'title'] as const satisfies readonly (keyof ChunkTerms)[];

/**
 * The metadata of one document, a row among the chunk rows so that one commit carries both. Of several rows of a document the
 * one with the highest `sequence` holds: a crash between writing the new and removing the old leaves a readable table.
 */
export interface DocumentRow {
  readonly documentId: DocumentId;
  readonly metadata: ChunkMetadata;
  readonly sequence: bigint;
}

/** The schema of a table; the specification travels in its metadata. */
export function tableSchema(spec: IndexSpec & Partial<TableSpec>): Schema {
  const text = (name: string, nullable: boolean): Field => new arrow.Field(name, new arrow.Utf8(), nullable);
  const item = new arrow.Field('item', new arrow.Float32(), true);
  return new arrow.Schema(
    [
      text('chunk_id', false),
      text('document_id', false),
      text('generation', false),
      new arrow.Field('ordinal', new arrow.Int32(), false),
      ...TEXT_COLUMNS.map((column) => text(column, true)),
      new arrow.Field('vector', new arrow.FixedSizeList(spec.dimensions, item), true),
      text('metadata', true),
      new arrow.Field('sequence', new arrow.Int64(), false),
    ],
    new Map([[SPEC_KEY, JSON.stringify({ ...spec, layout: LAYOUT })]]),
  );
}

/** The specification that a table was made for, out of its schema's metadata. */
export function readSpec(metadata: ReadonlyMap<string, string>): TableSpec {
  return JSON.parse(metadata.get(SPEC_KEY) ?? 'null') as TableSpec;
}

/** A specification as text to compare and to show. */
export function specText(spec: IndexSpec & Partial<TableSpec>): string {
  return `${spec.dimensions} dimensions, analysis ${spec.analysisVersion}, layout ${spec.layout ?? LAYOUT}`;
}

/** How a table of this specification holds terms. */
export function tokenFormOf({ tokens = 'given' }: Pick<TableSpec, 'tokens'>): TokenForm {
  return tokens;
}

/** Rows as one Arrow table, built by column: row objects would cost ten times as much of the event loop. */
export function toArrowTable(
  schema: Schema,
  chunks: readonly IndexedChunk[],
  documents: readonly DocumentRow[],
): ArrowTable {
  const length = chunks.length + documents.length;
  const children = [
    ...chunkColumns(chunks, documents, tokenFormOf(readSpec(schema.metadata))),
    vectorColumn(schema, chunks, length),
    ...documentColumns(chunks, documents),
  ];
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

/** The columns before the vector, in the order of the schema; a document's row has marked ids and no terms. */
function chunkColumns(chunks: readonly IndexedChunk[], documents: readonly DocumentRow[], tokens: TokenForm): Data[] {
  const ordinals = new Int32Array(chunks.length + documents.length);
  for (const [row, { ordinal }] of chunks.entries()) ordinals[row] = ordinal;
  const noTerms = documents.map(() => null);
  return [
    textColumn([...chunks.map((chunk) => chunk.chunkId), ...documents.map((row) => `@${row.documentId}`)]),
    textColumn([...chunks.map((chunk) => chunk.documentId), ...documents.map((row) => row.documentId)]),
    textColumn([...chunks.map((chunk) => chunk.generation), ...documents.map((row) => `@${row.sequence}`)]),
    arrow.makeData({ type: new arrow.Int32(), data: ordinals }),
    ...TEXT_COLUMNS.map((name) => textColumn([...chunks.map((chunk) => termsOf(chunk, name, tokens)), ...noTerms])),
  ];
}

/** The columns behind the vector; a chunk's row has none of them. */
function documentColumns(chunks: readonly IndexedChunk[], documents: readonly DocumentRow[]): Data[] {
  const sequences = new BigInt64Array(chunks.length + documents.length);
  for (const [at, { sequence }] of documents.entries()) sequences[chunks.length + at] = sequence;
  return [
    textColumn([...chunks.map(() => null), ...documents.map((row) => JSON.stringify(row.metadata))]),
    arrow.makeData({ type: new arrow.Int64(), data: sequences }),
  ];
}

function termsOf({ terms }: IndexedChunk, column: (typeof TEXT_COLUMNS)[number], tokens: TokenForm): string | null {
  return column === 'grams' ? null : tokensOf(terms[column], tokens).join(' ');
}

function textColumn(values: readonly (string | null)[]): Data {
  return arrow.vectorFromArray(values, new arrow.Utf8()).data[0]!;
}

/** A vector of zeros has no direction: it is stored as null, which no search returns. */
function vectorColumn(schema: Schema, chunks: readonly IndexedChunk[], length: number): Data {
  const type = schema.fields.find((field) => field.name === 'vector')!.type as FixedSizeList<Float32>;
  const values = new Float32Array(length * type.listSize);
  const valid = new Uint8Array(Math.ceil(length / 8));
  let nullCount = length;
  for (const [row, { vector }] of chunks.entries()) {
    if (vector.every((value) => value === 0)) continue;
    values.set(vector, row * type.listSize);
    valid[row >> 3]! |= 1 << (row & 7);
    nullCount -= 1;
  }
  const child = arrow.makeData({ type: new arrow.Float32(), data: values });
  return arrow.makeData({ type, length, nullCount, nullBitmap: valid, child });
}
