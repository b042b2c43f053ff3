import ts from 'typescript';

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
const SQL = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE)\s/;

/** How often a source file runs a statement that it gives as text, where a declared one could be prepared by a test. */
export function countStatementTexts(text: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && RUNNERS.has(nameOf(node.expression)) && node.arguments.some(isSql)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true));
  return count;
}

function nameOf(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
}

function isSql(node: ts.Expression): boolean {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return SQL.test(node.text);
  return ts.isTemplateExpression(node) && (SQL.test(node.head.text) || node.head.text === '');
}
