import { NODE_WORDS } from './allowed-nodes.js';
import { isNode, textOf } from './tree-parts.js';
import type { Refusal, TreeNode } from './statement-verdict.js';

const MAX_TABLES_NAMED = 50;
const MAX_NAME_SHOWN = 80;
const ONLY_SELECT = 'Write one SELECT over the tables of the dataset.';

/** Ends the look at a tree. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** The query of the one statement that an answer of `json_serialize_sql` holds. */
export function onlyStatementOf(tree: unknown): TreeNode {
  if (!isNode(tree)) throw new Refused({ code: 'not_one_select', detail: ONLY_SELECT });
  if (tree['error'] === true) throw new Refused(ofParser(tree));
  const statements: readonly unknown[] = Array.isArray(tree['statements']) ? tree['statements'] : [];
  const [statement] = statements;
  if (statements.length !== 1 || !isNode(statement) || !isNode(statement['node'])) {
    throw new Refused({
      code: 'not_one_select',
      detail: `The text contains ${statements.length} statements. ${ONLY_SELECT}`,
    });
  }
  return statement['node'];
}

/** What the parser says of a text that it cannot read, or that is no `SELECT`. */
function ofParser(tree: TreeNode): Refusal {
  const message = textOf(tree['error_message']).split('\n')[0]!;
  const position = Number(tree['position'] ?? Number.NaN);
  const at = Number.isSafeInteger(position) && position >= 0 ? { at: position } : {};
  if (/^Only SELECT statements|A CTE needs a SELECT/i.test(message)) {
    return { code: 'not_one_select', detail: `The text is not one SELECT alone. ${ONLY_SELECT}`, ...at };
  }
  if (tree['error_type'] === 'not implemented') {
    return { code: 'not_allowed', detail: `${message.replace(/[.!]?$/, '.')} ${ONLY_SELECT}`, ...at };
  }
  return { code: 'syntax', detail: `The statement cannot be read: ${message}.`, ...at };
}

export function tooComplex(how: string): Refused {
  return new Refused({ code: 'too_complex', detail: `The statement is ${how}. Write a simpler one.` });
}

export function notAllowed(node: TreeNode): Refused {
  const kind = String(node['class'] ?? node['type']);
  const words = NODE_WORDS[kind] ?? NODE_WORDS[String(node['type'])] ?? kind.replaceAll('_', ' ').toLowerCase();
  return new Refused({ code: 'not_allowed', detail: `${words} cannot be used. ${ONLY_SELECT}`, ...locationOf(node) });
}

export function functionRefused(name: string, what: string, allowed: ReadonlySet<string>, node: TreeNode): Refused {
  const allowedOnes =
    what === 'function'
      ? 'Allowed are functions that compute from values (numbers, texts, dates, lists), aggregates and windows.'
      : `Allowed in FROM: ${[...allowed].join(', ')}.`;
  return new Refused({
    code: 'not_allowed',
    detail: `The ${what} ${quoted(name)} cannot be used. ${allowedOnes}`,
    ...locationOf(node),
  });
}

export function unknownTable(name: string, tables: readonly string[], node: TreeNode): Refused {
  const names = [...tables].sort();
  const shown = names.slice(0, MAX_TABLES_NAMED).join(', ');
  const more = names.length > MAX_TABLES_NAMED ? ` and ${names.length - MAX_TABLES_NAMED} more` : '';
  const detail =
    names.length === 0
      ? `There is no table ${quoted(name)}: the dataset has no tables.`
      : `There is no table ${quoted(name)}. The tables of the dataset: ${shown}${more}.`;
  return new Refused({ code: 'unknown_table', detail, ...locationOf(node) });
}

/** The place that a node knows; the engine writes the greatest number where it knows none. */
export function locationOf(node: TreeNode): { at?: number } {
  const at = node['query_location'];
  return typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 ? { at } : {};
}

export function quoted(name: string): string {
  return `"${name.length > MAX_NAME_SHOWN ? `${name.slice(0, MAX_NAME_SHOWN)}…` : name}"`;
}
