/** Files without a role in their name are pure: they need neither Nest nor the database when they run. */
import ts from 'typescript';
import { inModules } from './sources.mjs';

/** @typedef {import('./sources.mjs').Source} Source */

const IMPURE = /^(#libs\/database|typeorm|@nestjs\/.+)$/;

/**
 * Files without a role that rightly import a value of these, each with the reason. What imports none any more has to go from the list.
 * @type {Readonly<Record<string, string>>}
 */
export const IMPURE_WITHOUT_ROLE = {
  'src/modules/content/shown/showing-state.ts': 'columns with their types, as values that several repositories share',
  'src/modules/documents/record/filter-facts.ts': 'columns with their types, as values that several repositories share',
};

/** Files without a role that import or pass on values of Nest, TypeORM or `#libs/database`. Types are gone when they run. @param {readonly Source[]} sources */
export function impureWithoutRole(sources) {
  return impure(sources).filter((path) => !(path in IMPURE_WITHOUT_ROLE));
}

/** Paths of the list above that are no such file. @param {readonly Source[]} sources */
export function needlessImpure(sources) {
  const paths = new Set(impure(sources));
  return Object.keys(IMPURE_WITHOUT_ROLE).filter((path) => !paths.has(path));
}

/** @param {readonly Source[]} sources */
function impure(sources) {
  return sources
    .filter((source) => inModules(source) && !source.hasRole && source.tree().statements.some(takesImpureValue))
    .map(({ path }) => path);
}

/** @param {ts.Statement} statement */
function takesImpureValue(statement) {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return false;
  const { moduleSpecifier } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return false;
  return IMPURE.test(moduleSpecifier.text) && takesValue(statement);
}

/** @param {ts.ImportDeclaration | ts.ExportDeclaration} statement */
function takesValue(statement) {
  if (ts.isExportDeclaration(statement)) return !statement.isTypeOnly && !areTypes(statement.exportClause);
  const { importClause } = statement;
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return false;
  return importClause?.name !== undefined || !areTypes(importClause?.namedBindings);
}

/** @param {ts.NamedImportBindings | ts.NamedExportBindings | undefined} bindings */
function areTypes(bindings) {
  if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return false;
  return [...bindings.elements].every(({ isTypeOnly }) => isTypeOnly);
}
