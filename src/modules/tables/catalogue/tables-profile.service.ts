import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetProfileSection, type VisibleDataset } from '../../datasets/index.js';
import { DocumentTablesRepository, type ProfiledTable } from './document-tables.repository.js';

/** Tables that are shown with their columns. */
const TABLES_SHOWN = 100;

/** Tables and their columns in the profile of a dataset. Numbers are stored; columns are read when the profile is shown. */
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
    const shown = await this.tables.listProfiled(ctx, dataset.id, TABLES_SHOWN);
    const profiles = shown.map((table) => ({
      table: table.name,
      rows: table.row_count,
      columns: columnsOf(table),
    }));
    return { ...kept, column_profiles: profiles };
  }
}

function columnsOf({ columns, profiles }: ProfiledTable): JsonObject[] {
  return columns.map(({ name, label, type, unit }, index) => {
    const { nulls = 0, distinct = null, min = null, max = null } = profiles[index] ?? {};
    return { name, label, type, unit, nulls, distinct, min, max };
  });
}
