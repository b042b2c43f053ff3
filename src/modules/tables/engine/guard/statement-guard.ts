import {
  ALLOWED_FUNCTIONS,
  ALLOWED_TABLE_FUNCTIONS,
  AGGREGATE_FUNCTIONS,
  REFUSED_COLUMN_NAMES,
  ROW_MAKING_FUNCTIONS,
} from './allowed-functions.js';
import {
  CAST_TYPES,
  EXPRESSION_CLASSES,
  MODIFIER_NODES,
  ORDER_NODES,
  QUERY_NODES,
  TABLE_NODES,
} from './allowed-nodes.js';
import { sourcesOf } from './row-sources.js';
import {
  functionRefused,
  locationOf,
  notAllowed,
  onlyStatementOf,
  quoted,
  Refused,
  tooComplex,
  unknownTable,
} from './refusals.js';
import { entriesOf, isNode, queryOf, textOf } from './tree-parts.js';
import type { TreeNode, Verdict } from './statement-verdict.js';

/** Bounds of a tree; DuckDB's own bound of nested expressions is 1,000. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 400;
/** Tables and views of the engine; no query may call its own so, or a reference outside its scope would mean the engine's. */
const ENGINE_NAMES = /^(duckdb_|pg_|sqlite_|pragma_|information_schema|main$|temp$|system$|memory$)/;

/** Names that a part of a statement may mean by a table: those of queries before it (`WITH`), else those of the dataset. */
type Scope = ReadonlySet<string>;

/**
 * Checks every node of a statement's tree (`json_serialize_sql`): one `SELECT`, allowed kinds of nodes, allowed functions, and only tables of
 * `tables` and its own queries of `WITH`. Pure.
 * @param tree What `json_serialize_sql` answered, parsed.
 * @param tables Names that may be read; compared without regard to case.
 */
export function checkStatement(tree: unknown, tables: readonly string[]): Verdict {
  try {
    const node = onlyStatementOf(tree);
    const walk = new TreeWalk(tables);
    walk.query(node, new Set(), 0);
    const sources = sourcesOf(node, walk.counts);
    return { kind: 'allowed', statement: { tables: walk.namedTables, parameters: walk.parameterNames, ...sources } };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal };
    throw error;
  }
}

/** Goes through a tree once and remembers what it names. */
class TreeWalk {
  readonly counts = { tables: 0, subqueries: 0, aggregates: 0, windows: 0, rowMakers: 0 };
  private readonly tables: ReadonlyMap<string, string>;
  private readonly named = new Set<string>();
  private readonly parameters = new Set<string>();
  private nodes = 0;

  constructor(tables: readonly string[]) {
    this.tables = new Map(tables.map((name) => [name.toLowerCase(), name]));
  }

  get namedTables(): readonly string[] {
    return [...this.named].sort();
  }

  get parameterNames(): readonly string[] {
    return [...this.parameters];
  }

  /** A query with those of its `WITH`, each of which sees the ones before it. */
  query(node: TreeNode, outer: Scope, depth: number, ownName?: string): void {
    if (!QUERY_NODES.has(String(node['type']))) throw notAllowed(node);
    const scope = new Set(outer);
    const { cte_map: ctes, ...parts } = node;
    for (const { key, value } of entriesOf(ctes)) {
      const name = this.cteName(key, value);
      const query = queryOf(value);
      const isRecursive = query['type'] === 'RECURSIVE_CTE_NODE';
      this.query(query, scope, depth + 1, isRecursive ? name : undefined);
      const { query: _query, ...rest } = value;
      this.parts(rest, scope, depth + 1);
      scope.add(name);
    }
    // Only the right side of a recursive query means the query itself by its name.
    const { right, ...others } = parts;
    this.parts(others, scope, depth + 1);
    if (right !== undefined) this.value(right, ownName === undefined ? scope : new Set([...scope, ownName]), depth + 1);
  }

  private cteName(key: unknown, value: TreeNode): string {
    const name = String(key).toLowerCase();
    if (!ENGINE_NAMES.test(name)) return name;
    const detail = `A query of WITH must not be named ${quoted(name)}, which is a name of the engine. Choose another name.`;
    throw new Refused({ code: 'not_allowed', detail, ...locationOf(value) });
  }

  private value(value: unknown, scope: Scope, depth: number): void {
    if (typeof value !== 'object' || value === null) return;
    if (depth > MAX_DEPTH) throw tooComplex(`nested more than ${MAX_DEPTH} levels deep`);
    if (Array.isArray(value)) {
      for (const one of value) this.value(one, scope, depth + 1);
      return;
    }
    const node = value as TreeNode;
    this.nodes += 1;
    if (this.nodes > MAX_NODES) throw tooComplex(`made of more than ${MAX_NODES} parts`);
    if (typeof node['class'] === 'string') return this.expression(node, scope, depth);
    if (typeof node['type'] === 'string') return this.other(node, scope, depth);
    this.parts(node, scope, depth);
  }

  private parts(node: TreeNode, scope: Scope, depth: number): void {
    for (const part of Object.values(node)) this.value(part, scope, depth + 1);
  }

  private expression(node: TreeNode, scope: Scope, depth: number): void {
    const kind = String(node['class']);
    const types = Object.hasOwn(EXPRESSION_CLASSES, kind) ? EXPRESSION_CLASSES[kind] : undefined;
    if (types === undefined) throw notAllowed(node);
    if (types !== null && !types.includes(String(node['type']))) throw notAllowed(node);
    switch (kind) {
      case 'CONSTANT':
        // A value of the statement's text: data, whatever it looks like.
        return;
      case 'PARAMETER':
        this.parameters.add(String(node['identifier']));
        return;
      case 'COLUMN_REF':
        return this.column(node);
      case 'CAST':
        this.castType(node['cast_type'], node, depth);
        return this.value(node['child'], scope, depth + 1);
      case 'FUNCTION':
        this.function(node, ALLOWED_FUNCTIONS, 'function');
        return this.parts(node, scope, depth);
      case 'WINDOW':
        this.counts.windows += 1;
        this.function(node, ALLOWED_FUNCTIONS, 'function');
        return this.parts(node, scope, depth);
      case 'SUBQUERY':
        this.counts.subqueries += 1;
        return this.parts(node, scope, depth);
      default:
        return this.parts(node, scope, depth);
    }
  }

  /** A query, a table, a modifier or an order. */
  private other(node: TreeNode, scope: Scope, depth: number): void {
    const type = String(node['type']);
    if (QUERY_NODES.has(type)) return this.query(node, scope, depth);
    if (ORDER_NODES.has(type) || MODIFIER_NODES.has(type)) return this.parts(node, scope, depth);
    if (!TABLE_NODES.has(type)) throw notAllowed(node);
    if (type === 'BASE_TABLE') this.table(node, scope);
    if (type === 'SUBQUERY') this.counts.subqueries += 1;
    if (type !== 'TABLE_FUNCTION') return this.parts(node, scope, depth);
    const call = node['function'];
    if (!isNode(call) || call['class'] !== 'FUNCTION') throw notAllowed(node);
    this.counts.rowMakers += 1;
    this.function(call, ALLOWED_TABLE_FUNCTIONS, 'table function');
    const { function: _call, ...rest } = node;
    this.parts(rest, scope, depth);
    this.parts(call, scope, depth);
  }

  private table(node: TreeNode, scope: Scope): void {
    const name = String(node['table_name']);
    const qualifier = [node['catalog_name'], node['schema_name']].filter((part) => part !== '' && part !== undefined);
    if (qualifier.length > 0 || node['at_clause'] !== null) {
      const detail = `Write the name of a table without catalogue, schema or version; found ${quoted([...qualifier, name].join('.'))}.`;
      throw new Refused({ code: 'unknown_table', detail, ...locationOf(node) });
    }
    if (scope.has(name.toLowerCase())) {
      this.counts.subqueries += 1;
      return;
    }
    const known = this.tables.get(name.toLowerCase());
    if (known === undefined) throw unknownTable(name, [...this.tables.values()], node);
    this.named.add(known);
    this.counts.tables += 1;
  }

  private column(node: TreeNode): void {
    const names = node['column_names'];
    if (!Array.isArray(names) || names.length !== 1) return;
    const name = String(names[0]);
    if (!REFUSED_COLUMN_NAMES.has(name.toLowerCase())) return;
    const detail = `${quoted(name)} means a value of the engine, which cannot be read. Write a column of this name with its table: table_name.${name}.`;
    throw new Refused({ code: 'not_allowed', detail, ...locationOf(node) });
  }

  private function(node: TreeNode, allowed: ReadonlySet<string>, what: string): void {
    const name = String(node['function_name']).toLowerCase();
    const schema = textOf(node['schema']);
    if ((schema !== '' && schema !== 'main') || textOf(node['catalog']) !== '' || !allowed.has(name)) {
      throw functionRefused(name, what, allowed, node);
    }
    if (node['class'] === 'FUNCTION' && AGGREGATE_FUNCTIONS.has(name)) this.counts.aggregates += 1;
    if (ROW_MAKING_FUNCTIONS.has(name)) this.counts.rowMakers += 1;
  }

  private castType(type: unknown, at: TreeNode, depth: number): void {
    if (!isNode(type)) throw notAllowed(at);
    if (depth > MAX_DEPTH) throw tooComplex(`nested more than ${MAX_DEPTH} levels deep`);
    const id = String(type['id']);
    if (!CAST_TYPES.has(id)) {
      const info = type['type_info'];
      const name = isNode(info) && typeof info['name'] === 'string' ? info['name'] : id;
      const detail = `Values cannot be cast to ${quoted(name)}; use INTEGER, BIGINT, DOUBLE, DECIMAL, VARCHAR, BOOLEAN, DATE, TIMESTAMP or INTERVAL.`;
      throw new Refused({ code: 'not_allowed', detail, ...locationOf(at) });
    }
    this.innerTypes(type['type_info'], at, depth + 1);
  }

  private innerTypes(info: unknown, at: TreeNode, depth: number): void {
    if (typeof info !== 'object' || info === null) return;
    if (depth > MAX_DEPTH) throw tooComplex(`nested more than ${MAX_DEPTH} levels deep`);
    for (const part of Object.values(info)) {
      if (isNode(part) && typeof part['id'] === 'string') this.castType(part, at, depth + 1);
      else this.innerTypes(part, at, depth + 1);
    }
  }
}
