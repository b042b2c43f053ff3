import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { entitiesOf } from './table-writers.js';

const FILES = listProjectFiles();
const MODULES = [...new Set(FILES.flatMap((path) => /^src\/modules\/([^/]+)\/index\.ts$/.exec(path)?.[1] ?? []))];
const README = new Map(MODULES.map((name) => [name, readProjectFile(`src/modules/${name}/README.md`)]));
/** Of `src/description`, which is no module. */
const OF_NO_MODULE = ['/errors', '/limits'];
const ROUTE = /`((?:[A-Z]+ )?\/[^`]*)`/g;

/** What the README of a module says under one of its heads, up to the next. */
function saidUnder(readme: string, head: string): string {
  return new RegExp(`\\*\\*[^*\\n]*${head}[^*\\n]*\\*\\*[\\s\\S]*?(?=\\n- |\\n\\n)`, 'i').exec(readme)?.[0] ?? '';
}

/** Names that calls of a function give in the files of a module: kinds of tasks, types of events. */
function namesIn(module: string, call: string, field: string): string[] {
  const files = FILES.filter(
    (path) => path.startsWith(`src/modules/${module}/`) && path.endsWith('.ts') && !/spec\.ts$|\/testing\//.test(path),
  );
  const named = new RegExp(`\\b${call}(?:<[^(]*>)?\\(\\{?[^}]*?\\b${field}: '([a-z_.]+)'`, 'g');
  return files.flatMap((path) => [...readProjectFile(path).matchAll(named)].map(([, name]) => name!));
}

/** `/documents/…` covers `/documents` and what is below it; names in braces stand for any. */
function covers(route: string, path: string): boolean {
  const pattern = route
    .replace(/^[A-Z]+ /, '')
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{[^}]+\}/g, '[^/]+')
    .replace(/\/…$/, '(?:/.*)?');
  return new RegExp(`^${pattern}$`).test(path);
}

describe('the README of each module', () => {
  it.each(MODULES)('names the tables, tasks and events of %s', (module) => {
    const readme = README.get(module)!;
    const entities = FILES.filter((path) => path.startsWith(`src/modules/${module}/`) && path.endsWith('.entity.ts'));
    const tables = entities.flatMap((path) => entitiesOf(readProjectFile(path)));
    const missing = {
      tables: tables.filter((name) => !saidUnder(readme, 'tables').includes(`\`${name}\``)),
      tasks: namesIn(module, 'defineTask', 'kind').filter(
        (name) => !saidUnder(readme, 'tasks').includes(`\`${name}\``),
      ),
      events: namesIn(module, 'defineEvent', 'type').filter(
        (name) => !saidUnder(readme, 'events').includes(`\`${name}\``),
      ),
    };
    expect(missing).toEqual({ tables: [], tasks: [], events: [] });
  });

  it('names every route of the interface, in one of them', () => {
    const { paths } = JSON.parse(readProjectFile('docs/openapi.json')) as { paths: Record<string, object> };
    const routes = MODULES.flatMap((module) =>
      [...saidUnder(README.get(module)!, 'routes').matchAll(ROUTE)].map(([, route]) => route!),
    );
    const unnamed = Object.keys(paths)
      .map((path) => path.replace(/^\/api\/v1/, '').replace(/(?<=.)\/$/, ''))
      .filter((path) => !routes.some((route) => covers(route, path)));
    expect(unnamed).toEqual(OF_NO_MODULE);
  });

  it('is looked at for what modules have', () => {
    expect(MODULES.length).toBeGreaterThan(15);
    expect(MODULES.flatMap((module) => namesIn(module, 'defineTask', 'kind')).length).toBeGreaterThan(20);
    expect(MODULES.flatMap((module) => namesIn(module, 'defineEvent', 'type')).length).toBeGreaterThan(10);
    expect(covers('/documents/…', '/documents')).toBe(true);
    expect(covers('/datasets/{id}/health', '/datasets/{dataset_id}/health')).toBe(true);
    expect(covers('/health', '/health/ready')).toBe(false);
  });
});
