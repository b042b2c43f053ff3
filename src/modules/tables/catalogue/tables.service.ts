import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { combineTables, type CombinedTable } from './combine-tables.js';
import { DocumentTablesRepository, type ShownTable, type TableDetails } from './document-tables.repository.js';
import type { ListTablesQuery } from './list-tables.dto.js';
import type { DatasetTable, DatasetTableDetail, DatasetTablePage, TableSource } from './table.dto.js';
import { tableErrors } from '../tables.errors.js';

/** Maximum number of times that a table is looked up again because its rows were removed meanwhile. */
const ROUNDS = 3;
/** Maximum number of listed sources of a combined table. */
const SOURCES_NAMED = 100;

/** Lists and describes the tables of a dataset. */
@Injectable()
export class TablesService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly tables: DocumentTablesRepository,
  ) {}

  async list(ctx: RequestContext, id: string, { q, skip, limit }: ListTablesQuery): Promise<DatasetTablePage> {
    const all = await this.shown(ctx, id);
    const wanted = q?.toLowerCase();
    const found = wanted === undefined ? all : all.filter((table) => textOf(table).includes(wanted));
    return { items: found.slice(skip, skip + limit).map(toItem), total: found.length, skip, limit };
  }

  async read(ctx: RequestContext, id: string, name: string): Promise<DatasetTableDetail> {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const table = (await this.shown(ctx, id)).find((each) => each.name === name);
      if (table === undefined) break;
      const parts = partsOf(table).slice(0, SOURCES_NAMED);
      const details = await this.tables.findDetails(ctx, parts);
      const inOrder = parts.flatMap((part) =>
        details.filter((each) => each.document_id === part.document_id && each.ordinal === part.ordinal),
      );
      // A newer generation may have taken its place between both looks.
      if (inOrder.length === parts.length) return toDetail(table, inOrder);
    }
    throw tableErrors.not_found({});
  }

  private async shown(ctx: RequestContext, id: string): Promise<(ShownTable | CombinedTable)[]> {
    const dataset = await this.access.requireVisible(ctx, id);
    const singles = await this.tables.listShown(ctx, dataset.id);
    return [...singles, ...combineTables(singles)].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function isCombined(table: ShownTable | CombinedTable): table is CombinedTable {
  return 'parts' in table;
}

function partsOf(table: ShownTable | CombinedTable): readonly ShownTable[] {
  return isCombined(table) ? table.parts : [table];
}

function textOf(table: ShownTable | CombinedTable): string {
  const documents = partsOf(table).map((part) => part.document_name);
  const columns = table.columns.flatMap(({ name, label }) => [name, label]);
  return [table.name, table.title, ...columns, ...documents].join('\n').toLowerCase();
}

function toItem(table: ShownTable | CombinedTable): DatasetTable {
  const parts = partsOf(table);
  const own = table.columns.map(({ name, label, type, unit, nullable }) => ({ name, label, type, unit, nullable }));
  const document = { name: '', label: 'Document', type: 'text' as const, unit: null, nullable: false };
  return {
    name: table.name,
    title: table.title,
    kind: isCombined(table) ? 'combined' : 'single',
    columns: isCombined(table) ? [...own, { ...document, name: table.documentColumn }] : own,
    row_count: parts.reduce((sum, part) => sum + part.row_count, 0),
    total_rows: parts.reduce((sum, part) => sum + part.total_rows, 0),
    fidelity: parts.some(({ fidelity }) => fidelity === 'guessed') ? 'guessed' : 'exact',
    sources: parts.slice(0, SOURCES_NAMED).map(toSource),
    source_count: parts.length,
  };
}

function toSource(part: ShownTable): TableSource {
  const { document_id, document_name, sheet, page, row_count } = part;
  return { table: part.name, document_id, document_name, sheet, page, row_count };
}

function toDetail(table: ShownTable | CombinedTable, details: readonly TableDetails[]): DatasetTableDetail {
  const [first] = details;
  const item = toItem(table);
  const isOne = details.length === 1 && first !== undefined;
  return {
    ...item,
    columns: item.columns.map((column, index) => {
      const profile = isOne ? first.profiles[index] : undefined;
      return { ...column, profile: profile === undefined ? null : { ...profile, samples: [...profile.samples] } };
    }),
    sample_rows: details
      .flatMap(({ samples }) => samples)
      .slice(0, 10)
      .map((row) => [...row]),
    repaired: details.flatMap(({ document_id, ordinal, repaired }) => {
      const part = partsOf(table).find((each) => each.document_id === document_id && each.ordinal === ordinal)!;
      return repaired.map((repair) => ({ ...repair, table: part.name, document_id, rows: [...repair.rows] }));
    }),
  };
}
