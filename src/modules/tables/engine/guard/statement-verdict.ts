/** Why a statement is not carried out. */
export type RefusalCode = 'syntax' | 'not_one_select' | 'not_allowed' | 'unknown_table' | 'too_complex' | 'parameters';

/** A refusal, for the person who wrote the statement. */
export interface Refusal {
  readonly code: RefusalCode;
  /** What is wrong and what is allowed; whole sentences. */
  readonly detail: string;
  /** Where in the statement, in UTF-8 bytes from its beginning; undefined: the whole of it. */
  readonly at?: number;
}

/** Tree of a statement or a part of it, as the engine writes it. */
export type TreeNode = Readonly<Record<string, unknown>>;

/** The one table that each row of the result comes from. */
export interface PlainSource {
  readonly table: string;
  /** How the statement calls it. */
  readonly alias: string;
}

/** An allowed statement. */
export interface AllowedStatement {
  /** Names of the dataset's tables that it reads, as the dataset has them. */
  readonly tables: readonly string[];
  /** Its parameters: `1`, `2`… for those by position. */
  readonly parameters: readonly string[];
  /** Where it is select, filter, order and limit over one table; else undefined. */
  readonly plain: PlainSource | undefined;
  /** Where all rows that can matter are those of one table that pass its `WHERE`; else undefined. */
  readonly filtered: PlainSource | undefined;
}

export type Verdict =
  | { readonly kind: 'allowed'; readonly statement: AllowedStatement }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
