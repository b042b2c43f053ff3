import ts from 'typescript';
import { expect, it } from 'vitest';
import type { EventDefinition } from '#libs/events';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { parseWhere } from './source-tree.js';

const SHIPPED = listProjectFiles().filter(
  (path) => /^(src|libs)\/.*\.ts$/.test(path) && !/\.(spec|int-spec)\.ts$|\/testing\//.test(path),
);

const MODULES = await Promise.all(
  SHIPPED.filter((path) => path.endsWith('.events.ts')).map((path) => import(`../../${path}`) as Promise<object>),
);

/** Name of the constant → the definition. */
const CATALOGUE = new Map(
  MODULES.flatMap((events) => Object.entries(events) as [string, EventDefinition<object>][]).flatMap(([name, value]) =>
    typeof value === 'object' && 'publisher' in value ? [[name, value] as const] : [],
  ),
);

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Names of the definitions that a file publishes: the second argument of each call of a method `publish`, a constant. */
function publishedIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const definition = node.arguments[1];
      const name = definition?.getText() ?? '';
      if (node.expression.name.text === 'publish' && CONSTANT.test(name)) found.push(name);
    }
    ts.forEachChild(node, visit);
  };
  const file = parseWhere(/\bpublish\b/, 'a.ts', text);
  if (file !== undefined) visit(file);
  return found;
}

const publications = SHIPPED.filter((path) => path.startsWith('src/')).flatMap((path) =>
  publishedIn(readProjectFile(path)).map((name) => ({ path, name })),
);

it('every event is published by the module that its definition names, and by no other', () => {
  const foreign = publications.filter(({ path, name }) => {
    const publisher = CATALOGUE.get(name)?.publisher;
    return publisher === undefined || !path.startsWith(`src/modules/${publisher}/`);
  });
  expect(foreign).toEqual([]);
});

it('every event that is defined is published, under a type of its own', () => {
  const silent = [...CATALOGUE.keys()].filter((name) => !publications.some((one) => one.name === name));
  expect(silent).toEqual([]);
  const types = [...CATALOGUE.values()].map(({ type }) => type);
  expect(types.length).toBeGreaterThanOrEqual(10);
  expect(new Set(types).size).toBe(types.length);
});

it('a publication is seen in whatever form the publisher is held', () => {
  const text = `await this.events.publish(ctx, ONE, [a]); bus.publish(inner, TWO, rows.map(f)); steps.publish(ctx, row.id);`;
  expect(publishedIn(text)).toEqual(['ONE', 'TWO']);
});
