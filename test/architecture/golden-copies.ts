import { createHash } from 'node:crypto';
import ts from 'typescript';
import { listProjectFiles, readProjectFile } from './project-files.js';

/**
 * What programs, operators and stored data rely on, one line for each thing, read from the sources: what a move of files must leave as it is.
 * Values are named, long ones by the beginning of their SHA-256.
 */
export interface GoldenCopy {
  readonly name: string;
  readonly lines: readonly string[];
}

const SHIPPED = listProjectFiles().filter(
  (path) => /^(src|libs)\/.*\.ts$/.test(path) && !/\.(spec|int-spec)\.ts$|(^|\/)testing\//.test(path),
);
const HASH_CHARACTERS = 16;

export function goldenCopies(): GoldenCopy[] {
  const trees = SHIPPED.map((path) => ts.createSourceFile(path, readProjectFile(path), ts.ScriptTarget.Latest, true));
  const calls = trees.flatMap((tree) => found(tree, ts.isCallExpression));
  return [
    { name: 'interface', lines: interfaceLines() },
    { name: 'errors', lines: calls.flatMap(errorLines) },
    { name: 'settings', lines: settingLines() },
    { name: 'migrations', lines: migrationLines() },
    { name: 'metrics', lines: textsOf(trees).filter((text) => /^kb_[a-z_]+$/.test(text)) },
    { name: 'log-events', lines: trees.flatMap((tree) => found(tree, ts.isPropertyAssignment)).flatMap(logEvents) },
    { name: 'domain-events', lines: calls.flatMap(eventNames) },
    { name: 'task-kinds', lines: calls.flatMap(taskKinds) },
    { name: 'extension', lines: exportedNames(trees.find(({ fileName }) => fileName === 'src/extension.ts')!) },
    {
      name: 'stored-versions',
      lines: trees.flatMap((tree) => found(tree, ts.isVariableDeclaration)).flatMap(versions),
    },
  ].map(({ name, lines }) => ({ name, lines: [...new Set(lines)].toSorted() }));
}

function found<N extends ts.Node>(tree: ts.Node, is: (node: ts.Node) => node is N): N[] {
  const nodes: N[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return nodes;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);

/** Operations and components of the description, without what people read. */
function interfaceLines(): string[] {
  const described = JSON.parse(readProjectFile('docs/openapi.json')) as {
    readonly paths: Record<string, Record<string, { readonly operationId?: string }>>;
    readonly components: Record<string, Record<string, unknown>>;
  };
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        `${method.toUpperCase()} ${path} ${operation.operationId ?? '-'} ${hash(withoutProse(operation))}`,
    ),
  );
  const components = Object.entries(described.components).flatMap(([kind, parts]) =>
    Object.entries(parts).map(([name, part]) => `${kind} ${name} ${hash(withoutProse(part))}`),
  );
  return [...operations, ...components];
}

function withoutProse(value: unknown): string {
  const isProse = (key: string, part: unknown): boolean =>
    /^(description|summary)$/.test(key) && typeof part === 'string';
  return JSON.stringify(value, (key, part: unknown) => (isProse(key, part) ? undefined : part));
}

/** `module.code status` of `defineErrors('module', { code: { status } })`. */
function errorLines(call: ts.CallExpression): string[] {
  const [module, entries] = call.arguments;
  if (call.expression.getText() !== 'defineErrors' || !module || !ts.isStringLiteral(module)) return [];
  return (entries && ts.isObjectLiteralExpression(entries) ? [...entries.properties] : []).map((entry) => {
    const status = found(entry, ts.isPropertyAssignment).find((part) => part.name.getText() === 'status');
    return `${module.text}.${entry.name!.getText()} ${status?.initializer.getText() ?? '-'}`;
  });
}

/** Names with their defaults, as .env.example has them. */
function settingLines(): string[] {
  return readProjectFile('.env.example')
    .split('\n')
    .filter((line) => /^#? ?[A-Z][A-Z0-9_]*=/.test(line));
}

/** Bodies of migrations: what they import may move. */
function migrationLines(): string[] {
  const paths = SHIPPED.filter((path) => /\/migrations\/\d{4}-[^/]+\.ts$/.test(path));
  return paths.map((path) => {
    const body = readProjectFile(path).replaceAll(/^import\b[^;]*;\n/gmu, '');
    return `${path.slice(path.lastIndexOf('/') + 1)} ${hash(body)}`;
  });
}

function textsOf(trees: readonly ts.SourceFile[]): string[] {
  return trees.flatMap((tree) => found(tree, ts.isStringLiteral)).map(({ text }) => text);
}

/** Values of `event: 'part.what_happened'`, alone or in a choice. */
function logEvents(property: ts.PropertyAssignment): string[] {
  if (property.name.getText() !== 'event') return [];
  const names = [property.initializer, ...found(property.initializer, ts.isStringLiteral)].filter(ts.isStringLiteral);
  return names.map(({ text }) => text).filter((text) => /^[a-z_]+(\.[a-z_]+)+$/.test(text));
}

function eventNames(call: ts.CallExpression): string[] {
  if (!/^defineEvent\b/.test(call.expression.getText())) return [];
  return call.arguments
    .flatMap((part) => [part, ...found(part, ts.isStringLiteral)])
    .filter(ts.isStringLiteral)
    .map(({ text }) => text);
}

function taskKinds(call: ts.CallExpression): string[] {
  if (call.expression.getText() !== 'defineTask') return [];
  const kind = call.arguments
    .flatMap((part) => found(part, ts.isPropertyAssignment))
    .find((part) => part.name.getText() === 'kind');
  return kind && ts.isStringLiteral(kind.initializer) ? [kind.initializer.text] : [];
}

function exportedNames(file: ts.SourceFile): string[] {
  return found(file, ts.isExportSpecifier).map(({ name }) => name.text);
}

/** Versions that stored values and fingerprints carry. */
function versions(declaration: ts.VariableDeclaration): string[] {
  const { initializer, name } = declaration;
  const isVersion = /^[A-Z]+(_[A-Z]+)*_VERSION$/.test(name.getText()) && !name.getText().startsWith('MAX_');
  if (!isVersion || initializer === undefined) return [];
  return ts.isStringLiteral(initializer) || ts.isNumericLiteral(initializer)
    ? [`${name.getText()} ${initializer.getText()}`]
    : [];
}
