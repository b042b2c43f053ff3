import { describe, expect, it } from 'vitest';
import {
  CAST_TYPES,
  EXPRESSION_CLASSES,
  MODIFIER_NODES,
  ORDER_NODES,
  QUERY_NODES,
  TABLE_NODES,
} from './allowed-nodes.js';
import { checkStatement } from './statement-guard.js';
import type { TreeNode } from './statement-verdict.js';

const TABLES = ['sales', 'People'];
const BIGINT = { id: 'BIGINT', type_info: null };

const column = (...names: string[]): TreeNode => ({ class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: names });
const table = (name: string, more: TreeNode = {}): TreeNode => ({
  type: 'BASE_TABLE',
  alias: '',
  sample: null,
  schema_name: '',
  catalog_name: '',
  table_name: name,
  column_name_alias: [],
  at_clause: null,
  ...more,
});
const call = (name: string, ...children: TreeNode[]): TreeNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  function_name: name,
  schema: '',
  catalog: '',
  children,
});
const select = (more: TreeNode = {}): TreeNode => ({
  type: 'SELECT_NODE',
  modifiers: [],
  cte_map: { map: [] },
  select_list: [column('region')],
  from_table: table('sales'),
  where_clause: null,
  group_expressions: [],
  group_sets: [],
  aggregate_handling: 'STANDARD_HANDLING',
  having: null,
  sample: null,
  qualify: null,
  ...more,
});
const cte = (key: string, node: TreeNode): TreeNode => ({ key, value: { aliases: [], query: { node } } });
const withQueries = (...map: TreeNode[]): TreeNode => ({ cte_map: { map } });
const statement = (...nodes: TreeNode[]): TreeNode => ({ error: false, statements: nodes.map((node) => ({ node })) });

/** `allowed`, or the code of the refusal. */
function verdictOf(node: TreeNode): string {
  const verdict = checkStatement(statement(node), TABLES);
  return verdict.kind === 'allowed' ? 'allowed' : verdict.refusal.code;
}
const allowedOf = (node: TreeNode) => {
  const verdict = checkStatement(statement(node), TABLES);
  return verdict.kind === 'allowed' ? verdict.statement : undefined;
};
const refusalOf = (node: TreeNode) => {
  const verdict = checkStatement(statement(node), TABLES);
  return verdict.kind === 'refused' ? verdict.refusal : undefined;
};
const inList = (expression: TreeNode): TreeNode => select({ select_list: [expression] });

/** A statement that holds an expression, for every place where one may be. */
const PLACES: readonly (readonly [string, (expression: TreeNode) => TreeNode])[] = [
  ['the selected columns', inList],
  ['WHERE', (one) => select({ where_clause: one })],
  ['GROUP BY', (one) => select({ group_expressions: [one] })],
  ['HAVING', (one) => select({ having: one })],
  ['QUALIFY', (one) => select({ qualify: one })],
  [
    'ORDER BY',
    (one) =>
      select({
        modifiers: [
          { type: 'ORDER_MODIFIER', orders: [{ type: 'ORDER_DEFAULT', null_order: 'ORDER_DEFAULT', expression: one }] },
        ],
      }),
  ],
  ['LIMIT', (one) => select({ modifiers: [{ type: 'LIMIT_MODIFIER', limit: one, offset: null }] })],
  ['OFFSET', (one) => select({ modifiers: [{ type: 'LIMIT_MODIFIER', limit: null, offset: one }] })],
  ['DISTINCT ON', (one) => select({ modifiers: [{ type: 'DISTINCT_MODIFIER', distinct_on_targets: [one] }] })],
  ['VALUES', (one) => select({ from_table: { type: 'EXPRESSION_LIST', values: [[one]] } })],
  [
    'the condition of a join',
    (one) => select({ from_table: { type: 'JOIN', left: table('sales'), right: table('people'), condition: one } }),
  ],
  [
    'a query in FROM',
    (one) => select({ from_table: { type: 'SUBQUERY', subquery: { node: inList(one) }, column_name_alias: [] } }),
  ],
  ['a query of WITH', (one) => select(withQueries(cte('x', inList(one))))],
  ['a query of WITH within one', (one) => select(withQueries(cte('x', select(withQueries(cte('y', inList(one)))))))],
  ['the right side of UNION', (one) => ({ type: 'SET_OPERATION_NODE', left: select(), right: inList(one) })],
  [
    'a subquery',
    (one) => inList({ class: 'SUBQUERY', type: 'SUBQUERY', subquery: { node: inList(one) }, child: null }),
  ],
  ['the argument of a function', (one) => inList(call('lower', one))],
  [
    'the argument of a table function',
    (one) => select({ from_table: { type: 'TABLE_FUNCTION', function: call('range', one) } }),
  ],
  ['a cast', (one) => inList({ class: 'CAST', type: 'OPERATOR_CAST', child: one, cast_type: BIGINT })],
  ['a CASE', (one) => inList({ class: 'CASE', type: 'CASE_EXPR', case_checks: [{ when_expr: one, then_expr: one }] })],
  [
    'a window',
    (one) =>
      inList({
        class: 'WINDOW',
        type: 'WINDOW_AGGREGATE',
        function_name: 'sum',
        schema: '',
        catalog: '',
        partitions: [one],
      }),
  ],
  ['the filter of an aggregate', (one) => inList({ ...call('sum', column('amount')), filter: one })],
  [
    'a lambda',
    (one) => inList(call('list_transform', { class: 'LAMBDA', type: 'LAMBDA', lhs: column('x'), expr: one })),
  ],
  [
    'the columns that replace others',
    (one) => inList({ class: 'STAR', type: 'STAR', replace_list: [{ key: 'a', value: one }] }),
  ],
];

describe('the guard of statements', () => {
  it('takes one SELECT and tells its tables, as the dataset has them, and its parameters', () => {
    const parameter = { class: 'PARAMETER', type: 'VALUE_PARAMETER', identifier: '1' };
    expect(allowedOf(select({ from_table: table('PEOPLE'), where_clause: parameter }))).toEqual({
      tables: ['People'],
      parameters: ['1'],
      plain: { table: 'PEOPLE', alias: 'PEOPLE' },
      filtered: { table: 'PEOPLE', alias: 'PEOPLE' },
    });
  });

  it.each([
    ['no tree', null],
    ['no statement', statement()],
    ['two statements', statement(select(), select())],
    ['a statement without a node', { error: false, statements: [{}] }],
    [
      'what is no SELECT',
      {
        error: true,
        error_type: 'not implemented',
        error_message: 'Only SELECT statements can be serialized to json!',
      },
    ],
  ])('refuses %s', (_what, tree) => {
    expect(checkStatement(tree, TABLES)).toMatchObject({ kind: 'refused', refusal: { code: 'not_one_select' } });
  });

  it.each(PLACES)('looks into %s', (_place, put) => {
    expect(verdictOf(put(column('region')))).toBe('allowed');
    expect(verdictOf(put(call('read_csv')))).toBe('not_allowed');
    expect(verdictOf(put({ class: 'DEFAULT', type: 'VALUE_DEFAULT' }))).toBe('not_allowed');
    const hidden = {
      class: 'SUBQUERY',
      type: 'SUBQUERY',
      subquery: { node: select({ from_table: table('secrets') }) },
    };
    expect(verdictOf(put(hidden))).toBe('unknown_table');
    const written = { class: 'SUBQUERY', type: 'SUBQUERY', subquery: { node: { type: 'INSERT_QUERY_NODE' } } };
    expect(verdictOf(put(written))).toBe('not_allowed');
  });

  it('knows no kinds but those that are listed', () => {
    expect([...QUERY_NODES]).toEqual(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE']);
    for (const type of ['INSERT_QUERY_NODE', 'UPDATE_QUERY_NODE', 'DELETE_QUERY_NODE', 'CTE_NODE', 'STATEMENT_NODE'])
      expect(verdictOf({ ...select(), type })).toBe('not_allowed');
    for (const type of ['SHOW_REF', 'PIVOT', 'COLUMN_DATA', 'DELIM_GET', 'BOUND_TABLE_REF', 'EXPLAIN', 'nothing'])
      expect([type, TABLE_NODES.has(type), verdictOf(select({ from_table: { type } }))]).toEqual([
        type,
        false,
        'not_allowed',
      ]);
    for (const type of ['CTE_MODIFIER', 'SOMETHING']) {
      expect(MODIFIER_NODES.has(type) || ORDER_NODES.has(type)).toBe(false);
      expect(verdictOf(select({ modifiers: [{ type }] }))).toBe('not_allowed');
    }
  });

  it('knows no classes of expressions but those that are listed, nor those that every object has', () => {
    for (const kind of ['BOUND_FUNCTION', 'INVALID', 'TYPE', 'constructor', '__proto__', 'toString'])
      expect([kind, verdictOf(inList({ class: kind, type: kind }))]).toEqual([kind, 'not_allowed']);
    for (const [kind, types] of Object.entries(EXPRESSION_CLASSES)) {
      if (types === null) continue;
      for (const type of types) expect(verdictOf(inList({ class: kind, type, children: [] }))).toBe('allowed');
      expect(verdictOf(inList({ class: kind, type: 'SOMETHING', children: [] }))).toBe('not_allowed');
    }
  });

  it.each([
    ['files', 'read_csv'],
    ['files', 'read_text'],
    ['settings', 'current_setting'],
    ['text as a statement', 'query'],
    ['text as a table', 'query_table'],
    ['a function by its name', 'list_aggregate'],
    ['variables', 'getvariable'],
    ['sequences', 'nextval'],
    ['the environment', 'getenv'],
    ['what every object has', 'constructor'],
  ])('refuses functions that reach %s: %s', (_what, name) => {
    expect(verdictOf(inList(call(name)))).toBe('not_allowed');
    expect(verdictOf(select({ from_table: { type: 'TABLE_FUNCTION', function: call(name) } }))).toBe('not_allowed');
  });

  it('takes functions in letters of either case, of the engine itself alone, and only some in FROM', () => {
    expect(verdictOf(inList(call('LOWER', column('region'))))).toBe('allowed');
    expect(verdictOf(inList({ ...call('lower'), schema: 'main' }))).toBe('allowed');
    expect(verdictOf(inList({ ...call('lower'), schema: 'other' }))).toBe('not_allowed');
    expect(verdictOf(inList({ ...call('lower'), catalog: 'system' }))).toBe('not_allowed');
    expect(verdictOf(select({ from_table: { type: 'TABLE_FUNCTION', function: call('lower') } }))).toBe('not_allowed');
    expect(verdictOf(select({ from_table: { type: 'TABLE_FUNCTION', function: column('range') } }))).toBe(
      'not_allowed',
    );
  });

  it.each([
    ['another dataset', table('other')],
    ['a schema', table('sales', { schema_name: 'main' })],
    ['a catalogue', table('sales', { catalog_name: 'memory' })],
    ['a version', table('sales', { at_clause: { unit: 'VERSION' } })],
    ['a file', table('/etc/passwd')],
    ['the engine', table('duckdb_settings')],
  ])('refuses a table of %s', (_what, from) => {
    expect(verdictOf(select({ from_table: from }))).toBe('unknown_table');
  });

  it('says which tables there are, and where the wrong one is', () => {
    const refusal = refusalOf(select({ from_table: table('salez', { query_location: 14 }) }));
    expect(refusal).toMatchObject({ code: 'unknown_table', at: 14 });
    expect(refusal?.detail).toContain('People, sales');
    expect(refusalOf(select({ from_table: table('x', { query_location: 2 ** 64 }) }))).not.toHaveProperty('at');
  });

  it('lets a query of WITH be named by those behind it and by the rest, not by itself or those before', () => {
    const from = (name: string) => select({ from_table: table(name) });
    expect(verdictOf({ ...from('X'), ...withQueries(cte('x', select())) })).toBe('allowed');
    expect(verdictOf({ ...from('y'), ...withQueries(cte('x', select()), cte('y', from('x'))) })).toBe('allowed');
    expect(verdictOf({ ...from('y'), ...withQueries(cte('y', from('x')), cte('x', select())) })).toBe('unknown_table');
    expect(verdictOf({ ...from('x'), ...withQueries(cte('x', from('x'))) })).toBe('unknown_table');
    const inner = inList({
      class: 'SUBQUERY',
      type: 'SUBQUERY',
      subquery: { node: { ...from('x'), ...withQueries(cte('x', select())) } },
    });
    expect(verdictOf(inner)).toBe('allowed');
    expect(verdictOf({ ...inner, from_table: table('x') })).toBe('unknown_table');
  });

  it('lets a recursive query name itself on its right side alone', () => {
    const recursive = (left: TreeNode, right: TreeNode): TreeNode =>
      select({
        from_table: table('r'),
        ...withQueries(cte('r', { type: 'RECURSIVE_CTE_NODE', cte_name: 'r', left, right })),
      });
    const self = select({ from_table: table('r') });
    expect(verdictOf(recursive(select(), self))).toBe('allowed');
    expect(verdictOf(recursive(self, select()))).toBe('unknown_table');
  });

  it.each(['duckdb_tables', 'PG_class', 'information_schema', 'sqlite_master', 'main'])(
    'refuses a query of WITH called %s, which the engine has too',
    (name) => expect(verdictOf(select(withQueries(cte(name, select()))))).toBe('not_allowed'),
  );

  it('refuses columns that the engine computes about itself, but not where a table is named', () => {
    expect(verdictOf(inList(column('Current_User')))).toBe('not_allowed');
    expect(verdictOf(inList(column('sales', 'current_user')))).toBe('allowed');
  });

  it('takes casts to listed types, whatever they are made of', () => {
    const cast = (type: TreeNode | null): string =>
      verdictOf(inList({ class: 'CAST', type: 'OPERATOR_CAST', child: column('a'), cast_type: type }));
    const list = (child: TreeNode): TreeNode => ({
      id: 'LIST',
      type_info: { type: 'LIST_TYPE_INFO', child_type: child },
    });
    for (const id of CAST_TYPES) expect([id, cast({ id, type_info: null })]).toEqual([id, 'allowed']);
    for (const id of ['BLOB', 'ENUM', 'USER', 'POINTER', 'UNBOUND'])
      expect(cast({ id, type_info: null })).toBe('not_allowed');
    expect(cast(list(list(BIGINT)))).toBe('allowed');
    expect(cast(list(list({ id: 'BLOB', type_info: null })))).toBe('not_allowed');
    expect(cast(null)).toBe('not_allowed');
  });

  it('refuses what is nested too deeply or has too many parts', () => {
    const nested = (levels: number): TreeNode =>
      Array.from({ length: levels }).reduce<TreeNode>((inner) => call('lower', inner), column('a'));
    expect(verdictOf(inList(nested(100)))).toBe('allowed');
    expect(verdictOf(inList(nested(1_000)))).toBe('too_complex');
    const wide = (parts: number): TreeNode => select({ select_list: Array.from({ length: parts }, () => column('a')) });
    expect(verdictOf(wide(19_000))).toBe('allowed');
    expect(verdictOf(wide(21_000))).toBe('too_complex');
  });

  it.each([
    ['an aggregate', inList(call('count_star')), false, true],
    ['groups', select({ group_expressions: [column('region')] }), false, true],
    ['DISTINCT', select({ modifiers: [{ type: 'DISTINCT_MODIFIER', distinct_on_targets: [] }] }), false, true],
    ['rows made of one', inList(call('unnest', column('a'))), false, true],
    ['other names of columns', select({ from_table: table('sales', { column_name_alias: ['a'] }) }), false, false],
    ['a sample', select({ sample: { sample_size: 1 } }), false, false],
    ['a join', select({ from_table: { type: 'JOIN', left: table('sales'), right: table('people') } }), false, false],
    ['a subquery', PLACES.find(([place]) => place === 'a subquery')![1](column('a')), false, false],
  ])('knows that rows with %s are no rows of the table', (_what, node, isPlain, isFiltered) => {
    const { plain, filtered } = allowedOf(node)!;
    expect([plain !== undefined, filtered !== undefined]).toEqual([isPlain, isFiltered]);
  });
});
