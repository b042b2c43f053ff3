/** Between files of modules go values: promises and callbacks that are parameters or fields. */
import ts from 'typescript';
import { inModules, placeOf, walk } from './sources.mjs';

/** @typedef {import('./sources.mjs').Source} Source */

const PROMISE = /^Promise(Like)?$/;
const CALLBACK = /^on[A-Z]/;
/** Methods that Nest calls on what it has made. */
const HOOKS = /^(onModuleInit|onModuleDestroy|onApplicationBootstrap|onApplicationShutdown)$/;
/** What keeps work that is under way, one promise for each key. */
const COLLECTIONS = /^(Map|WeakMap|Set|WeakSet)$/;

/**
 * Parameters and fields that are or hold promises, and functions named `onX`, between files of modules. Excepted is the memory of work that is
 * under way: a private field with a collection of promises, so that callers at the same time share one, or with a bell
 * (`Promise.withResolvers`) that the class rings for those who wait in it. @param {readonly Source[]} sources
 */
export function promisesAndCallbacks(sources) {
  return sources.filter(inModules).flatMap((source) => {
    /** @type {string[]} */
    const found = [];
    const functions = functionTypesOf(source);
    walk(source.tree(), (node) => {
      const isField = ts.isPropertyDeclaration(node) || ts.isPropertySignature(node);
      const isFound = ts.isParameter(node) || isField ? isPromiseOrCallback(node, functions) : isCallbackMethod(node);
      if (isFound) found.push(placeOf(source, node));
    });
    return found;
  });
}

/** @param {ts.ParameterDeclaration | ts.PropertyDeclaration | ts.PropertySignature} node @param {ReadonlySet<string>} functions */
function isPromiseOrCallback(node, functions) {
  const initializer = ts.isPropertySignature(node) ? undefined : node.initializer;
  if (CALLBACK.test(node.name.getText())) {
    const isFunction =
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
    if (isFunction || isFunctionType(node.type, functions)) return true;
  }
  return holdsPromise(node.type) || makesPromise(initializer) ? !isWorkUnderWay(node) : false;
}

/** A method of an interface, or one that others have to write, by the name of a callback. @param {ts.Node} node */
function isCallbackMethod(node) {
  const isDemanded =
    ts.isMethodSignature(node) || (ts.isMethodDeclaration(node) && hasModifier(node, ts.SyntaxKind.AbstractKeyword));
  return isDemanded && CALLBACK.test(node.name.getText()) && !HOOKS.test(node.name.getText());
}

/** Whether a type is or contains a promise. What a function returns is no value yet. @param {ts.Node | undefined} type @returns {boolean} */
function holdsPromise(type) {
  if (type === undefined || ts.isFunctionTypeNode(type) || ts.isMethodSignature(type)) return false;
  if (ts.isTypeReferenceNode(type) && PROMISE.test(type.typeName.getText())) return true;
  return ts.forEachChild(type, (part) => holdsPromise(part) || undefined) ?? false;
}

/** `new Promise(…)`, `new Map<string, Promise<T>>()`, `Promise.resolve(…)`. @param {ts.Expression | undefined} expression */
function makesPromise(expression) {
  if (expression === undefined) return false;
  if (ts.isNewExpression(expression)) {
    return PROMISE.test(expression.expression.getText()) || (expression.typeArguments ?? []).some(holdsPromise);
  }
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  return PROMISE.test(expression.expression.expression.getText());
}

/** @param {ts.ParameterDeclaration | ts.PropertyDeclaration | ts.PropertySignature} node */
function isWorkUnderWay(node) {
  if (!ts.isPropertyDeclaration(node)) return false;
  const { initializer, type } = node;
  if (!ts.isPrivateIdentifier(node.name) && !hasModifier(node, ts.SyntaxKind.PrivateKeyword)) return false;
  if (type !== undefined) return ts.isTypeReferenceNode(type) && COLLECTIONS.test(type.typeName.getText());
  if (initializer === undefined) return false;
  if (ts.isNewExpression(initializer)) return COLLECTIONS.test(initializer.expression.getText());
  return ts.isCallExpression(initializer) && initializer.expression.getText() === 'Promise.withResolvers';
}

/** @param {ts.PropertyDeclaration | ts.MethodDeclaration} node @param {ts.SyntaxKind} kind */
function hasModifier(node, kind) {
  return node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}

/** @param {ts.TypeNode | undefined} type @param {ReadonlySet<string>} functions @returns {boolean} */
function isFunctionType(type, functions) {
  if (type === undefined) return false;
  if (ts.isParenthesizedTypeNode(type)) return isFunctionType(type.type, functions);
  if (ts.isUnionTypeNode(type)) return type.types.some((part) => isFunctionType(part, functions));
  return ts.isFunctionTypeNode(type) || functions.has(type.getText());
}

/** Names that a source gives to types of functions. @param {Source} source */
function functionTypesOf(source) {
  const aliases = source.tree().statements.filter(ts.isTypeAliasDeclaration);
  return new Set(aliases.filter(({ type }) => ts.isFunctionTypeNode(type)).map(({ name }) => name.text));
}
