import ts from 'typescript';
import { parseWhere } from './source-tree.js';

/** What runs a statement; `query` of a manager, a repository and a connection alike. */
const RUNNERS = new Set([
  'query',
  'queryOne',
  'queryBeforeContext',
  'rowsOf',
  'runOne',
  'runOneAsSystem',
  'systemRowsOf',
]);
const CALLS = new RegExp([...RUNNERS].join('|'));
const SQL = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE)\s/;

/**
 * How often a source file runs a statement that it gives as text, where a declared one could be prepared by a test: written in the call,
 * kept in a variable of the file, made by a function of it, or handed to one that puts something behind it.
 */
export function countStatementTexts(text: string): number {
  const file = parseWhere(CALLS, 'a.ts', text);
  if (file === undefined) return 0;
  const kept = namesOfTexts(file);
  const isText = (argument: ts.Expression): boolean =>
    isSql(argument) ||
    (ts.isIdentifier(argument) && kept.has(argument.text)) ||
    (ts.isCallExpression(argument) && (kept.has(nameOf(argument.expression)) || argument.arguments.some(isText)));
  let count = 0;
  visitAll(file, (node) => {
    if (ts.isCallExpression(node) && RUNNERS.has(nameOf(node.expression)) && node.arguments.some(isText)) count += 1;
  });
  return count;
}

/** Variables that hold the text of a statement, and functions that return one. */
function namesOfTexts(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  visitAll(file, (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const { initializer, name } = node;
      if (isWritten(initializer) || (ts.isArrowFunction(initializer) && returnsText(initializer)))
        names.add(name.getText());
    } else if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && returnsText(node)) {
      names.add(node.name?.getText() ?? '');
    }
  });
  return names;
}

function returnsText({ body }: ts.ArrowFunction | ts.FunctionDeclaration | ts.MethodDeclaration): boolean {
  if (body === undefined) return false;
  if (!ts.isBlock(body)) return isWritten(body);
  return body.statements.some(
    (one) => ts.isReturnStatement(one) && one.expression !== undefined && isWritten(one.expression),
  );
}

function visitAll(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visitAll(child, look));
}

function nameOf(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
}

/** Whether an argument is the text of a statement, or begins with a part that is kept elsewhere. */
function isSql(node: ts.Expression): boolean {
  return isWritten(node) || (ts.isTemplateExpression(node) && node.head.text === '');
}

function isWritten(node: ts.Expression): boolean {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return SQL.test(node.text);
  return ts.isTemplateExpression(node) && SQL.test(node.head.text);
}
