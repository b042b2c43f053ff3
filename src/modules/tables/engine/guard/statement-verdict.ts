/** Codes of reasons for which a statement is refused. */
export type RefusalCode = 'syntax' | 'not_one_select' | 'not_allowed' | 'unknown_table' | 'too_complex' | 'parameters';

/** A refusal of a statement, for its author. */
export interface Refusal {
  readonly code: RefusalCode;
  /** What is wrong and what is allowed, in whole sentences. */
  readonly detail: string;
  /** Offset in the statement in UTF-8 bytes; undefined: the whole statement. */
  readonly at?: number;
}

/** Tree of a statement or a part of it, as the engine writes it. */
export type TreeNode = Readonly<Record<string, unknown>>;

/** The one table that each row of the result comes from. */
export interface PlainSource {
  readonly table: string;
  /** Alias of the table in the statement. */
  readonly alias: string;
}

/** An allowed statement. */
export interface AllowedStatement {
  /** Names of the dataset's tables that it reads, as the dataset has them. */
  readonly tables: readonly string[];
  /** Its parameters: `1`, `2`… for those by position. */
  readonly parameters: readonly string[];
  /** Set where the statement only selects, filters, orders and limits rows of one table; otherwise undefined. */
  readonly plain: PlainSource | undefined;
  /** Set where the result depends only on rows of one table that pass its `WHERE`; otherwise undefined. */
  readonly filtered: PlainSource | undefined;
}

export type Verdict =
  | { readonly kind: 'allowed'; readonly statement: AllowedStatement }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
