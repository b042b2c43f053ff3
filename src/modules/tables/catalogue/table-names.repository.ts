import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { columnsOf, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { identifierOf } from '#libs/tabular';
import type { RequestContext } from '#libs/tenancy';
import { TableNameEntity } from './table-name.entity.js';

/** A table of a document, by its sheet (empty: none) and its place in it, from 1. */
export interface TablePlace {
  readonly sheet: string;
  readonly nth: number;
}

const MAX_DOCUMENT_PART = 40;
const MAX_SHEET_PART = 16;
/** Names with a number that are tried before one with the document's id. */
const NUMBERED = 20;
const MAX_SHEET_KEY = 200;
/** The last one asks for the name with the document's id alone, which no other document wants. */
const TRIES = 12;

const LIST = statement(
  columnsOf(TableNameEntity, 'sheet', 'nth', 'name'),
  `SELECT sheet, nth, name FROM table_names WHERE document_id = $1`,
);
const FORGET_DELETED = statement(
  {},
  `DELETE FROM table_names n USING documents d
   WHERE n.dataset_id = $1 AND n.name = ANY ($2::text[]) AND d.id = n.document_id AND d.deleted_at IS NOT NULL`,
);
const CLAIM = statement(
  columnsOf(TableNameEntity, 'name'),
  `INSERT INTO table_names (tenant_id, dataset_id, document_id, sheet, nth, name)
   SELECT $1, $2, $3, $4, $5, c.name FROM unnest($6::text[]) WITH ORDINALITY AS c(name, place)
   WHERE NOT EXISTS (SELECT 1 FROM table_names n WHERE n.dataset_id = $2 AND n.name = c.name) ORDER BY c.place LIMIT 1
   ON CONFLICT DO NOTHING RETURNING name`,
);

/** Names of tables: unique in their dataset, and kept by their document over revisions and renames. */
@Injectable()
export class TableNamesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** A name for each place, in their order: the former one, or the first that is free. */
  async claim(
    ctx: RequestContext,
    document: { readonly id: DocumentId; readonly datasetId: DatasetId; readonly name: string },
    places: readonly TablePlace[],
  ): Promise<string[]> {
    const names: string[] = [];
    const known = new Map((await this.query(ctx, LIST, [document.id])).map((row) => [placeKey(row), row.name]));
    for (const place of places) {
      const kept = { ...place, sheet: place.sheet.slice(0, MAX_SHEET_KEY) };
      names.push(known.get(placeKey(kept)) ?? (await this.claimOne(ctx, document, kept)));
    }
    return names;
  }

  private async claimOne(
    ctx: RequestContext,
    { id, datasetId, name }: { readonly id: DocumentId; readonly datasetId: DatasetId; readonly name: string },
    { sheet, nth }: TablePlace,
  ): Promise<string> {
    const wanted = candidatesOf(name, sheet, nth, id);
    // Another claim may take a name between the look and the write; one of them gets it, so there are fewer each time.
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const candidates = tries < TRIES ? wanted : wanted.slice(-1);
      const [claimed] = await this.unitOfWork.run(ctx, async (manager) => {
        await rowsOf(manager, FORGET_DELETED, [datasetId, wanted]);
        return rowsOf(manager, CLAIM, [ctx.tenantId, datasetId, id, sheet, nth, candidates]);
      });
      if (claimed !== undefined) return claimed.name;
      const own = (await this.query(ctx, LIST, [id])).find((row) => row.sheet === sheet && row.nth === nth);
      if (own !== undefined) return own.name;
    }
    throw new Error(`No name could be claimed for a table of document ${id}.`);
  }
}

function candidatesOf(documentName: string, sheet: string, nth: number, id: DocumentId): string[] {
  const stem = cut(identifierOf(documentName.replace(/\.[A-Za-z0-9]{1,8}$/, '')), MAX_DOCUMENT_PART);
  const part = cut(identifierOf(sheet), MAX_SHEET_PART);
  const base =
    identifierOf([stem, part, nth > 1 ? String(nth) : ''].filter((word) => word !== '').join('_')) || 'table';
  const numbered = Array.from({ length: NUMBERED }, (_, index) => `${base}_v${index + 2}`);
  return [base, ...numbered, `${base}_${id.replaceAll('-', '').slice(-12)}`];
}

function cut(name: string, length: number): string {
  return [...name].slice(0, length).join('').replace(/_+$/, '');
}

function placeKey({ sheet, nth }: TablePlace): string {
  return `${nth}:${sheet}`;
}
