import { describe, expect, it } from 'vitest';
import { RouteTable } from './route-table.js';

const table = new RouteTable();
for (const [path, ...methods] of [
  ['/documents', 'GET', 'HEAD'],
  ['/documents/:id', 'DELETE'],
  ['/documents/:id', 'GET'],
  ['/documents/upload', 'POST'],
  ['/documents/:id/text', 'GET'],
  ['/documents/batch/:kind', 'POST'],
  ['/docs', 'GET'],
  ['/docs/*', 'GET'],
] as [string, ...string[]][]) {
  table.add(path, methods);
}

describe('RouteTable', () => {
  it.each([
    ['/documents', ['GET', 'HEAD']],
    ['/documents/', ['GET', 'HEAD']],
    ['/documents/7', ['GET', 'DELETE']],
    ['/documents/%00', ['GET', 'DELETE']],
    ['/documents/upload', ['POST']],
    ['/documents/upload/', ['POST']],
    ['/documents/upload/text', ['GET']],
    ['/documents/batch/text', ['POST']],
    ['/documents/batch', ['GET', 'DELETE']],
    ['/docs', ['GET']],
    ['/docs/a/b', ['GET']],
  ])('gives %s the methods of the route that spells most of it out', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });

  it.each(['/', '/nothing', '/documents/7/nothing', '/documents//text', '/document'])(
    'knows no route of %s',
    (path) => {
      expect(table.methodsOf(path)).toBeUndefined();
    },
  );
});
