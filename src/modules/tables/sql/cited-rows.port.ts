import type { DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** A stretch of a document's canonical text, in UTF-16 code units; `end` is exclusive. */
export interface CitedPlace {
  readonly datasetId: DatasetId;
  readonly documentId: DocumentId;
  readonly start: number;
  readonly end: number;
}

/** A row of a table, with the position of its line in the document's canonical text. */
export interface CitedRow {
  /** Name of the table, as `GET /datasets/{id}/tables/{table}` takes it. */
  readonly tableId: string;
  readonly sheet: string | null;
  /** Row in the source, from 1. */
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Finds the rows of tables that stretches of text are part of. Injection token. */
export abstract class CitedRows {
  /**
   * One entry for each of `places`, in their order; undefined where a place is not part of exactly one row of a shown table. All entries are
   * undefined without the permission `tables:query`, or when the tables cannot be read in time. Never throws.
   */
  abstract find(ctx: RequestContext, places: readonly CitedPlace[]): Promise<(CitedRow | undefined)[]>;
}
