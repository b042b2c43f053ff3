/** Classes that Nest makes or hands out, and whether the names of their files say so. */
import ts from 'typescript';
import { inModules, pathOf, walk } from './sources.mjs';

/** @typedef {import('./sources.mjs').Source} Source */

/** Decorators of classes that Nest makes: its own, and ours by which it finds a provider (`providerDecorators`). */
const NEST = ['Injectable', 'Controller', 'Module', 'Catch', 'Processor', 'WebSocketGateway'];
const OURS = ['TaskHandler', 'IngestionStep', 'DatasetProfileSection'];
const INJECTED = new Set([...NEST, ...OURS]);

/**
 * Injected classes whose files rightly have no role, each with the reason. A class that nothing injects any more has to go from the list.
 * @type {Readonly<Record<string, string>>}
 */
export const WITHOUT_ROLE = {
  AnswerMarkup: 'pure: text in, text out; injected because the settings say where links may lead',
  DeliveryRules: 'a value: the schedule and deadlines of deliveries, injected so that tests have shorter ones',
};

/**
 * Files without a role in their name that hold a class which Nest makes or hands out: by a decorator, as a `provide:` token with what it
 * uses, in a list of providers, or as a parameter of the constructor of another one. @param {readonly Source[]} sources
 */
export function injectableWithoutRole(sources) {
  const provided = new Set(providedClasses(sources).map(({ path, name }) => (name in WITHOUT_ROLE ? '' : path)));
  return sources
    .filter((source) => inModules(source) && !source.hasRole && (isMadeByNest(source) || provided.has(source.path)))
    .map(({ path }) => path);
}

/** Names of the list above that are no class which is provided. @param {readonly Source[]} sources */
export function needlessWithoutRole(sources) {
  const names = new Set(providedClasses(sources).map(({ name }) => name));
  return Object.keys(WITHOUT_ROLE).filter((name) => !names.has(name));
}

/**
 * Decorators of ours that mark a provider and that the rule above does not know: functions of a file that calls `DiscoveryService.createDecorator`.
 * @param {readonly Source[]} sources
 */
export function unknownProviderDecorators(sources) {
  return sources
    .filter(({ isSpec, text }) => !isSpec && text.includes('DiscoveryService.createDecorator'))
    .flatMap((source) => source.tree().statements.filter(ts.isFunctionDeclaration))
    .flatMap(({ name }) => (name === undefined || INJECTED.has(name.text) ? [] : [name.text]));
}

/** @param {Source} source */
function isMadeByNest(source) {
  let found = false;
  walk(source.tree(), (node) => {
    if (ts.isClassDeclaration(node) && isDecorated(node)) found = true;
  });
  return found;
}

/** @param {ts.ClassDeclaration} node */
function isDecorated(node) {
  const decorators = ts.getDecorators(node) ?? [];
  return decorators.some(
    ({ expression }) => ts.isCallExpression(expression) && INJECTED.has(expression.expression.getText()),
  );
}

/** Classes that the sources provide or inject, each with the file that declares it. @param {readonly Source[]} sources */
function providedClasses(sources) {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return sources
    .filter(({ isSpec }) => !isSpec)
    .flatMap((source) =>
      [...namesOfProvided(source)].flatMap((name) => {
        const path = declaringFile(byPath, source, name);
        return path === undefined ? [] : [{ name, path }];
      }),
    );
}

/** @param {Source} source @returns {ReadonlySet<string>} */
function namesOfProvided(source) {
  /** @type {Set<string>} */
  const names = new Set();
  const add = (/** @type {ts.Node | undefined} */ node) => {
    if (node !== undefined && ts.isIdentifier(node)) names.add(node.text);
  };
  if (!/\bproviders\b|\bprovide:|\bconstructor\(/.test(source.text)) return names;
  walk(source.tree(), (node) => {
    if (ts.isClassDeclaration(node) && isDecorated(node)) {
      const constructor = node.members.find(ts.isConstructorDeclaration);
      for (const { type } of constructor?.parameters ?? []) {
        if (type !== undefined && ts.isTypeReferenceNode(type)) add(type.typeName);
      }
    }
    if (!ts.isPropertyAssignment(node)) return;
    const name = node.name.getText();
    if (name === 'provide' || name === 'useClass' || name === 'useExisting') add(node.initializer);
    if (name === 'providers' && ts.isArrayLiteralExpression(node.initializer)) node.initializer.elements.forEach(add);
  });
  return names;
}

/**
 * The file whose class a name of a source means, through the doors between them; undefined where it is none of the sources.
 * @param {ReadonlyMap<string, Source>} byPath @param {Source} source @param {string} name @returns {string | undefined}
 */
function declaringFile(byPath, source, name) {
  for (const statement of source.tree().statements) {
    if (ts.isClassDeclaration(statement) && statement.name?.text === name) return source.path;
    const isFrom = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    if (!isFrom || statement.moduleSpecifier === undefined || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) continue;
    const bound = [...bindings.elements].find((element) => element.name.text === name);
    const next = bound && byPath.get(pathOf(source, statement.moduleSpecifier.text) ?? '');
    if (next !== undefined) return declaringFile(byPath, next, (bound?.propertyName ?? bound?.name)?.text ?? name);
  }
  return undefined;
}
