import type { DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** A stretch of a document's canonical text; UTF-16 code units, `end` exclusive. */
export interface CitedPlace {
  readonly datasetId: DatasetId;
  readonly documentId: DocumentId;
  readonly start: number;
  readonly end: number;
}

/** A row of a table, and where its line is in the document's canonical text. */
export interface CitedRow {
  /** Name of the table, as `GET /datasets/{id}/tables/{table}` takes it. */
  readonly tableId: string;
  readonly sheet: string | null;
  /** Row in the source, from 1. */
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Tells which rows of tables stretches of text are parts of. Injection token. */
export abstract class CitedRows {
  /**
   * In the order of `places`; undefined for what is no part of one row of a table that is shown, and for everything without the right
   * `tables:query` or where the tables cannot be read in time. Throws nothing.
   */
  abstract find(ctx: RequestContext, places: readonly CitedPlace[]): Promise<(CitedRow | undefined)[]>;
}
