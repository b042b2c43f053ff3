import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetProfileSection, type VisibleDataset } from '../datasets/index.js';
import { DocumentTablesRepository, type ShownTable, type TableDetails } from './document-tables.repository.js';

/** Tables that are shown with their columns. */
const TABLES_SHOWN = 100;

/** Tables and their columns in the profile of a dataset. Numbers are kept; columns are shown as they are when somebody reads. */
@Injectable()
@DatasetProfileSection({ name: 'tables' })
export class TablesProfile implements DatasetProfileSection {
  constructor(private readonly tables: DocumentTablesRepository) {}

  async describe(ctx: RequestContext, dataset: VisibleDataset): Promise<JsonObject> {
    const shown = await this.tables.listShown(ctx, dataset.id);
    const types = Map.groupBy(
      shown.flatMap(({ columns }) => columns),
      ({ type }) => type,
    );
    return {
      tables: shown.length,
      rows: shown.reduce((sum, { row_count: rows }) => sum + rows, 0),
      documents: new Set(shown.map(({ document_id: id }) => id)).size,
      guessed: shown.filter(({ fidelity }) => fidelity === 'guessed').length,
      columns_by_type: Object.fromEntries([...types].map(([type, columns]) => [type, columns.length])),
    };
  }

  /** The columns of the tables of now, without samples, for who may query tables. */
  async show(ctx: RequestContext, dataset: VisibleDataset, kept: JsonObject): Promise<JsonObject> {
    if (!ctx.principal.permissions.has('tables:query')) return kept;
    const shown = (await this.tables.listShown(ctx, dataset.id)).slice(0, TABLES_SHOWN);
    const details = await this.tables.findDetails(ctx, shown);
    const profiles = shown.flatMap((table) => {
      const found = details.find((each) => each.document_id === table.document_id && each.ordinal === table.ordinal);
      return found === undefined
        ? []
        : [{ table: table.name, rows: table.row_count, columns: columnsOf(table, found) }];
    });
    return { ...kept, column_profiles: profiles };
  }
}

function columnsOf(table: ShownTable, { profiles }: TableDetails): JsonObject[] {
  return table.columns.map(({ name, label, type, unit }, index) => {
    const { nulls = 0, distinct = null, min = null, max = null } = profiles[index] ?? {};
    return { name, label, type, unit, nulls, distinct, min, max };
  });
}
