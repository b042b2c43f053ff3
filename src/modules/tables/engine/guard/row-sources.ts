import { isNode, textOf } from './tree-parts.js';
import type { AllowedStatement, PlainSource, TreeNode } from './statement-verdict.js';

/** What a tree holds anywhere. */
export interface TreeCounts {
  readonly tables: number;
  readonly subqueries: number;
  readonly aggregates: number;
  readonly windows: number;
  readonly rowMakers: number;
}

/** Columns that say where a row comes from; every table has them. */
export const SOURCE_COLUMNS = ['_document_id', '_sheet', '_row'] as const;
/** Where a row is in the text of its document; tables that were stored without it have them without values. */
export const TEXT_PLACE_COLUMNS = ['_text_start', '_text_end'] as const;
/** What `*` leaves out besides. */
const FURTHER_COLUMNS = ['_total', ...TEXT_PLACE_COLUMNS] as const;

type Sources = Pick<AllowedStatement, 'plain' | 'filtered'>;

/**
 * The only table from which the rows of a query come. `plain`: each row of the result is one of its rows. `filtered`: the result is computed only
 * from its rows that pass `WHERE`.
 */
export function sourcesOf(node: TreeNode, counts: TreeCounts): Sources {
  const source = singleTableOf(node);
  const isSingle = source !== undefined && counts.tables === 1 && counts.subqueries === 0;
  if (!isSingle) return { plain: undefined, filtered: undefined };
  return { plain: isPlain(node, counts) ? source : undefined, filtered: source };
}

function singleTableOf(node: TreeNode): PlainSource | undefined {
  const from = node['from_table'];
  if (node['type'] !== 'SELECT_NODE' || !isNode(from) || from['type'] !== 'BASE_TABLE') return undefined;
  const table = String(from['table_name']);
  const alias = textOf(from['alias']);
  // Columns with other names cannot be asked for by theirs; a sample is another set of rows each time.
  const hasOtherNames = Array.isArray(from['column_name_alias']) && from['column_name_alias'].length > 0;
  if (hasOtherNames || isNode(from['sample']) || isNode(node['sample'])) return undefined;
  return { table, alias: alias === '' ? table : alias };
}

function isPlain(node: TreeNode, counts: TreeCounts): boolean {
  const modifiers = Array.isArray(node['modifiers']) ? node['modifiers'].filter(isNode) : [];
  return (
    counts.aggregates + counts.windows + counts.rowMakers === 0 &&
    isEmpty(node['group_expressions']) &&
    isEmpty(node['group_sets']) &&
    node['having'] === null &&
    node['qualify'] === null &&
    node['aggregate_handling'] === 'STANDARD_HANDLING' &&
    modifiers.every(({ type }) => type !== 'DISTINCT_MODIFIER')
  );
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** The answer of `json_serialize_sql` with the place of each row behind its columns; `*` then leaves these columns out. */
export function withRowSources(tree: TreeNode, { alias }: PlainSource): TreeNode {
  return changeQuery(tree, (node) => {
    const selected = Array.isArray(node['select_list']) ? node['select_list'] : [];
    const places = SOURCE_COLUMNS.map((name, index) => columnOf([alias, name], `source column ${index}`));
    return { ...node, select_list: [...selected.map(withoutSourceColumns), ...places] };
  });
}

/** The answer of `json_serialize_sql` for the documents of the rows that pass `WHERE`. */
export function asDocumentsOf(tree: TreeNode, { alias }: PlainSource): TreeNode {
  return changeQuery(tree, (node) => ({
    ...node,
    modifiers: [{ type: 'DISTINCT_MODIFIER', distinct_on_targets: [] }],
    select_list: [columnOf([alias, SOURCE_COLUMNS[0]], '')],
    group_expressions: [],
    group_sets: [],
    aggregate_handling: 'STANDARD_HANDLING',
    having: null,
    qualify: null,
  }));
}

function changeQuery(tree: TreeNode, change: (node: TreeNode) => TreeNode): TreeNode {
  const [statement] = tree['statements'] as [TreeNode];
  return { ...tree, statements: [{ ...statement, node: change(statement['node'] as TreeNode) }] };
}

function columnOf(names: readonly string[], alias: string): TreeNode {
  return { class: 'COLUMN_REF', type: 'COLUMN_REF', alias, query_location: 0, column_names: names };
}

function withoutSourceColumns(item: unknown): unknown {
  if (!isNode(item) || item['class'] !== 'STAR' || item['columns'] === true || item['expr'] !== null) return item;
  const {
    exclude_list: excluded,
    qualified_exclude_list: qualified,
    replace_list: replaced,
    rename_list: renamed,
  } = item;
  // A statement that says itself what `*` leaves out or replaces gets what it says.
  if (![excluded, qualified, replaced, renamed].every(isEmpty)) return item;
  return { ...item, exclude_list: [...SOURCE_COLUMNS, ...FURTHER_COLUMNS] };
}
