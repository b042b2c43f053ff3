import ts from 'typescript';
import { parseWhere } from './source-tree.js';

/** A statement of a source file that changes rows of a table. */
export interface TableWrite {
  readonly path: string;
  /** Name of the table; null where the statement puts it together at run time. */
  readonly table: string | null;
}

const WRITE =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?("?[a-z_]+"?|\0)/g;
const WORDS = /INSERT|UPDATE|DELETE|MERGE|TRUNCATE/;
/** A name that no SQL holds represents what a template puts in. */
const HOLE = '\0';

/** Finds what a source file writes by SQL. Comments are not read, so that they may speak of statements. */
export function writesOf(path: string, text: string): TableWrite[] {
  const tables = new Set<string | null>();
  const visit = (node: ts.Node): void => {
    for (const [, name] of (textOf(node) ?? '').matchAll(WRITE)) {
      tables.add(name === HOLE ? null : (name ?? '').replaceAll('"', ''));
    }
    ts.forEachChild(node, visit);
  };
  const file = parseWhere(WORDS, path, text);
  if (file !== undefined) visit(file);
  return [...tables].map((table) => ({ path, table }));
}

/** Names of the tables that a source file declares an entity for. */
export function entitiesOf(text: string): string[] {
  return [...text.matchAll(/@Entity\(\s*(?:\{\s*name:\s*)?'([a-z_]+)'/g)].map(([, name]) => name ?? '');
}

/** The lib or module that a file belongs to: `libs/database`, `src/modules/documents`, else the folder. */
export function roomOf(path: string): string {
  return /^(?:libs\/[^/]+|src\/modules\/[^/]+)/.exec(path)?.[0] ?? path.slice(0, path.lastIndexOf('/'));
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => HOLE + span.literal.text).join('');
}
