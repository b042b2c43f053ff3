import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessTableEngine } from '../pool/process-table-engine.js';
import type { TableEngineOptions } from '../pool/engine-options.js';
import type { EngineTable, TableResult, TableStatement, WithTableFile } from '../table-engine.port.js';
import { makeTableFiles } from './make-table-files.js';

const PLACES = `'doc-1' AS _document_id, CAST(NULL AS VARCHAR) AS _sheet, CAST(i + 2 AS BIGINT) AS _row, false AS _total`;

/** Two tables and both as one. */
const QUERIES = {
  products: `SELECT 'product ' || i AS name, i * 1.5 AS price, DATE '2024-01-01' + CAST(i AS INTEGER) AS sold_on,
    i % 3 AS category, ${PLACES} FROM range(10) t(i)`,
  more_products: `SELECT 'product ' || i AS name, CAST(i AS BIGINT) AS price, DATE '2025-01-01' AS sold_on,
    i % 3 AS category, 'doc-2' AS _document_id, 'Sheet 1' AS _sheet, CAST(i AS BIGINT) AS _row, false AS _total FROM range(10, 20) t(i)`,
  numbers: `SELECT i AS n, ${PLACES} FROM range(100000) t(i)`,
};

const COLUMNS = [
  'name',
  'price',
  'sold_on',
  'category',
  '_row',
  '_document_id',
  '_sheet',
  '_total',
  '_text_start',
  '_text_end',
];

export const TABLES: readonly EngineTable[] = [
  { kind: 'file', name: 'products', file: 'products', document: { id: 'doc-1', name: 'products.csv' } },
  { kind: 'file', name: 'more_products', file: 'more_products', document: { id: 'doc-2', name: 'more.xlsx' } },
  { kind: 'file', name: 'numbers', file: 'numbers', document: { id: 'doc-1', name: 'products.csv' } },
  {
    kind: 'view',
    name: 'all_products',
    parts: [
      {
        from: 'products',
        columns: [...COLUMNS.map((name) => ({ name })), { name: 'document', text: "products's.csv" }],
      },
      {
        from: 'more_products',
        columns: [
          ...COLUMNS.map((name) => (name === 'price' ? { name, castTo: 'DOUBLE' } : { name })),
          { name: 'document', text: 'more.xlsx' },
        ],
      },
    ],
  },
];

/** An engine over files of its own. */
export class EngineFixture {
  readonly engine: ProcessTableEngine;
  readonly folder: string;
  /** Files that were asked for, in order. */
  readonly read: string[] = [];
  private readonly paths: ReadonlyMap<string, string>;

  private constructor(engine: ProcessTableEngine, folder: string, paths: ReadonlyMap<string, string>) {
    this.engine = engine;
    this.folder = folder;
    this.paths = paths;
  }

  static async open(options: Partial<TableEngineOptions> = {}): Promise<EngineFixture> {
    const folder = await mkdtemp(join(tmpdir(), 'table-engine-'));
    const paths = await makeTableFiles(folder, QUERIES);
    const engine = new ProcessTableEngine({ workFolder: join(folder, 'work'), hidden: [folder], ...options });
    return new EngineFixture(engine, folder, paths);
  }

  run(sql: string, given: Partial<TableStatement> = {}, signal?: AbortSignal): Promise<TableResult> {
    const statement: TableStatement = {
      owner: 'tenant',
      dataset: 'dataset',
      tables: TABLES,
      withFile: this.withFile,
      sql,
      params: [],
      limit: 100,
      timeoutMs: 5000,
      ...given,
    };
    return this.engine.run(statement, signal === undefined ? {} : { signal });
  }

  async close(): Promise<void> {
    await this.engine.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  readonly withFile: WithTableFile = (file, work) => {
    this.read.push(file);
    return work(this.paths.get(file)!);
  };
}
