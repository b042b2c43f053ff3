/** Kinds of nodes in the tree that `json_serialize_sql` makes of a statement; what is not listed is refused. */
export const QUERY_NODES: ReadonlySet<string> = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE']);

export const TABLE_NODES: ReadonlySet<string> = new Set([
  'BASE_TABLE',
  'EMPTY',
  'EXPRESSION_LIST',
  'JOIN',
  'SUBQUERY',
  'TABLE_FUNCTION',
]);

export const MODIFIER_NODES: ReadonlySet<string> = new Set([
  'DISTINCT_MODIFIER',
  'LIMIT_MODIFIER',
  'LIMIT_PERCENT_MODIFIER',
  'ORDER_MODIFIER',
]);

export const ORDER_NODES: ReadonlySet<string> = new Set(['ORDER_DEFAULT', 'ASCENDING', 'DESCENDING']);

/** Classes of expressions, with the types that each may have; null: any, they only compare, combine or compute. */
export const EXPRESSION_CLASSES: Readonly<Record<string, readonly string[] | null>> = {
  BETWEEN: null,
  CASE: null,
  CAST: null,
  COLLATE: null,
  COLUMN_REF: null,
  COMPARISON: null,
  CONJUNCTION: null,
  CONSTANT: null,
  FUNCTION: null,
  LAMBDA: null,
  OPERATOR: [
    'ARRAY_CONSTRUCTOR',
    'ARRAY_EXTRACT',
    'ARRAY_SLICE',
    'COMPARE_IN',
    'COMPARE_NOT_IN',
    'GROUPING_FUNCTION',
    'OPERATOR_COALESCE',
    'OPERATOR_IS_NOT_NULL',
    'OPERATOR_IS_NULL',
    'OPERATOR_NOT',
    'OPERATOR_NULLIF',
    'OPERATOR_TRY',
    'OPERATOR_UNPACK',
    'STRUCT_EXTRACT',
  ],
  PARAMETER: null,
  POSITIONAL_REFERENCE: null,
  STAR: null,
  SUBQUERY: null,
  WINDOW: null,
};

/** What values may be cast to. */
export const CAST_TYPES: ReadonlySet<string> = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'UHUGEINT',
  'FLOAT',
  'DOUBLE',
  'DECIMAL',
  'BOOLEAN',
  'VARCHAR',
  'CHAR',
  'UUID',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'INTERVAL',
  'TIMESTAMP WITH TIME ZONE',
  'TIME WITH TIME ZONE',
  'LIST',
  'ARRAY',
  'STRUCT',
  'MAP',
  'NULL',
]);

/** For readers of an error, by what the node is. */
export const NODE_WORDS: Readonly<Record<string, string>> = {
  SHOW_REF: 'DESCRIBE, SHOW and SUMMARIZE',
  PIVOT: 'PIVOT and UNPIVOT',
  DEFAULT: 'DEFAULT',
  INSERT_QUERY_NODE: 'INSERT',
  UPDATE_QUERY_NODE: 'UPDATE',
  DELETE_QUERY_NODE: 'DELETE',
};
