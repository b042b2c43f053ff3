import type { DatasetId, DocumentId } from '#libs/common';
import type { ObjectKey } from '#libs/object-storage';
import type { ColumnType } from '#libs/tabular';
import type { RequestContext } from '#libs/tenancy';

/** Columns that each Parquet file has besides those of its table; the names of no table's own columns begin with `_`. */
export const ROW_COLUMNS = {
  /** BIGINT: row in the source, from 1; in a sheet its row number there. */
  row: '_row',
  /** VARCHAR: the document's id. */
  document: '_document_id',
  /** VARCHAR: name of the sheet; null where the source has none. */
  sheet: '_sheet',
  /** BOOLEAN: a row that sums up others, by its words (`Total`, `Sum`): leave it out of sums and counts. */
  total: '_total',
  /** BIGINT: where the row's line begins in the canonical text of the generation, in UTF-16 code units. Null in files of older versions. */
  textStart: '_text_start',
  /** BIGINT: one past the last code unit of the line; the line break is not part of it. */
  textEnd: '_text_end',
} as const;

export interface QueryableColumn {
  /**
   * `cells`: a column of the Parquet files. `document_name`: in combined tables only, the last column, text, named `document` unless a
   * column of the cells is: the present name of each row's document. It is in no file; fill it in from `TablePart.documentName`.
   */
  readonly origin: 'cells' | 'document_name';
  /** Lower-case snake case, a valid SQL identifier without quotes, unique in its table. */
  readonly name: string;
  /** The header as the document has it; several rows of header joined by a space. */
  readonly label: string;
  /** A Parquet file keeps BIGINT, DOUBLE, DATE, TIMESTAMP (without a zone), BOOLEAN and VARCHAR for these. */
  readonly type: ColumnType;
  /** What is written beside the numbers, for instance `%`, `EUR` or `kg`; null: nothing, or not the same everywhere. */
  readonly unit: string | null;
  readonly nullable: boolean;
}

/** The rows of one table of one document. */
export interface TablePart {
  /** Name of the single table of these rows. */
  readonly tableName: string;
  readonly documentId: DocumentId;
  readonly documentName: string;
  readonly sheet: string | null;
  /** The visible generation; another generation has other rows and another object. */
  readonly generation: string;
  readonly objectKey: ObjectKey;
  readonly rowCount: number;
  /** Size of the Parquet file. */
  readonly sizeBytes: number;
  /** Types of this part's columns where they differ from the table's, by column: cast them. Empty unless the table is combined. */
  readonly casts: Readonly<Record<string, ColumnType>>;
}

/** A table that statements can name. */
export interface QueryableTable {
  /** A slug, stable over revisions: lower-case snake case, a valid SQL identifier without quotes, unique in the dataset. */
  readonly name: string;
  readonly title: string;
  /**
   * `combined`: several tables with the same columns as one, its last column of origin `document_name`. Each of its parts is also a
   * table of its own.
   */
  readonly kind: 'single' | 'combined';
  /** In their order; without those of `ROW_COLUMNS`, which every table has. */
  readonly columns: readonly QueryableColumn[];
  /** One, or in a combined table at least two, in the order in which their rows follow each other. */
  readonly parts: readonly TablePart[];
}

/** The tables of a dataset that a caller may query, and their rows. Injection token. */
export abstract class TableCatalogue {
  /**
   * All tables that the caller sees at this moment, by name: those of the visible generations of documents that are neither deleted nor
   * quarantined. What a query may name is asked for again at each query; the same generations mean the same rows.
   * @throws `datasets.not_found`.
   */
  abstract visibleTables(ctx: RequestContext, datasetId: DatasetId): Promise<readonly QueryableTable[]>;

  /**
   * Calls `work` with the path of a local Parquet file with the rows of a part, readable until `work` settles. It is the stored object
   * itself, or a copy that goes afterwards: anyone who needs the rows for longer loads them.
   * @throws `storage.object_not_found` when the generation has gone meanwhile: ask for the visible tables again.
   */
  abstract withRows<T>(
    ctx: RequestContext,
    part: Pick<TablePart, 'objectKey'>,
    work: (path: string) => Promise<T>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<T>;
}
