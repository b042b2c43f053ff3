import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { parseWhere } from './source-tree.js';

const FILES = listProjectFiles();
const SOURCES = FILES.filter((path) => /^(src|libs)\/.*\.ts$/.test(path));
const SPECS = FILES.filter((path) => /\.(spec|int-spec)\.ts$/.test(path));
const SHIPPED = SOURCES.filter((path) => !/\.(spec|int-spec)\.ts$|\/testing\/|^libs\/testing\//.test(path));
const THIS_FOLDER = 'test/architecture/';

const CONTROLLER_LINES = 150;
const CONSTRUCTOR_PARAMETERS = 7;

/** `path:line` of every line that matches. */
function find(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    readProjectFile(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

function lineCount(path: string): number {
  return readProjectFile(path).trimEnd().split('\n').length;
}

function longConstructors(path: string, text: string): string[] {
  const found: string[] = [];
  const file = parseWhere(/\bconstructor\b/, path, text);
  if (file === undefined) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > CONSTRUCTOR_PARAMETERS) {
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Properties that are validated by their parts alone: such a rule passes over what is missing, null or no object. */
function partsAlone(path: string, text: string): string[] {
  const found: string[] = [];
  const file = parseWhere(/ValidateNested/, path, text);
  if (file === undefined) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyDeclaration(node)) {
      const rules = (ts.getDecorators(node) ?? []).map((rule) => rule.expression.getText());
      const hasKind = rules.some((rule) => /^Is(Object|Array)\(/.test(rule));
      if (rules.some((rule) => rule.startsWith('ValidateNested(')) && !hasKind)
        found.push(`${path}:${node.name.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the sources', () => {
  it('are found, so that the rules below look at something', () => {
    expect(SHIPPED.length).toBeGreaterThan(200);
    expect(SPECS.length).toBeGreaterThan(50);
  });

  it('use no forwardRef', () => {
    expect(find(SOURCES, /\bforwardRef\b/)).toEqual([]);
  });

  it('read process.env in libs/config only, and where a native library offers no other way in', () => {
    const allowed = /^libs\/config\/|^src\/main\.ts$|^libs\/vector-store\/src\/adapter\/lancedb\/lance-module\.ts$/;
    const others = SHIPPED.filter((path) => !allowed.test(path));
    expect(find(others, /\bprocess\.env\b|\bprocess\[|\benv\b.*from 'node:process'/)).toEqual([]);
  });

  it('throw catalogue errors, no HttpException, in services and repositories', () => {
    const places = SHIPPED.filter((path) => path.startsWith('src/modules/') && !path.endsWith('.controller.ts'));
    expect(
      find(places, /\bHttpException\b|\bnew (BadRequest|NotFound|Conflict|Forbidden|Unauthorized)Exception\b/),
    ).toEqual([]);
  });

  it('switch no rule of the compiler off', () => {
    expect(
      find([...SOURCES, ...SPECS.filter((path) => !path.startsWith(THIS_FOLDER))], /@ts-(ignore|nocheck)/),
    ).toEqual([]);
  });

  it(`keep controllers within ${CONTROLLER_LINES} lines`, () => {
    const controllers = SHIPPED.filter((path) => path.endsWith('.controller.ts'));
    expect(controllers.filter((path) => lineCount(path) > CONTROLLER_LINES)).toEqual([]);
  });

  it(`keep constructors within ${CONSTRUCTOR_PARAMETERS} parameters`, () => {
    expect(SHIPPED.flatMap((path) => longConstructors(path, readProjectFile(path)))).toEqual([]);
  });

  it('say of a field with parts that it is an object or a list, not only what its parts are', () => {
    const dtos = SHIPPED.filter((path) => path.endsWith('.dto.ts'));
    expect(dtos.flatMap((path) => partsAlone(path, readProjectFile(path)))).toEqual([]);
    expect(
      partsAlone('one.dto.ts', 'class A { @ValidateNested() one!: B; @IsObject() @ValidateNested() two!: B; }'),
    ).toEqual(['one.dto.ts:one']);
  });

  it('list the columns that filters look at in one place', () => {
    const owner = 'src/modules/documents/record/filter-facts.ts';
    const lists = /\bpath\b\W+(\w+\W+){1,6}media_type\b\W+(\w+\W+){1,4}created_at\b\W+(\w+\W+){1,4}metadata\b/;
    expect(lists.test('SELECT d.path, d.archive_id, d.media_type, d.language, d.created_at, d.tags, d.metadata')).toBe(
      true,
    );
    expect(SOURCES.filter((path) => lists.test(readProjectFile(path)))).toEqual([owner]);
  });

  it('compare times of columns with the database time in their precision, not with a bare now()', () => {
    // Ages (`now() - interval`) may be half a millisecond off; what is due may not be passed over.
    const bare = /[<>]=? (coalesce\([^,]+, )?now\(\)(?! -)|\w - now\(\)|coalesce\(\$\d+(::\w+)?, now\(\)\)(?! -)/;
    expect(
      ['due_at <= now() ORDER', 'x > coalesce($4::timestamptz, now())', 'due_at - now()'].every((sql) =>
        bare.test(sql),
      ),
    ).toBe(true);
    expect(bare.test('created_at < now() - make_interval(days => 1)')).toBe(false);
    expect(
      find(
        SHIPPED.filter((path) => !path.includes('/migrations/')),
        bare,
      ),
    ).toEqual([]);
  });

  it('read and set cookies in one place, for five routes: login, refresh, logout, and the two of a sign-in at an issuer', () => {
    const filesOf = (pattern: RegExp): string[] => find(SHIPPED, pattern).map((place) => place.split(':', 1)[0]!);
    const places = filesOf(/headers\.cookie\b|headers\['cookie'\]|set-cookie/i);
    expect([...new Set(places)]).toEqual(['libs/http/src/cookies/page-exchange.ts']);
    expect(filesOf(/@FromPage\(\)/)).toEqual([
      ...Array.from({ length: 2 }, () => 'src/modules/accounts/oidc/oidc-sign-in.controller.ts'),
      ...Array.from({ length: 3 }, () => 'src/modules/accounts/sessions/sessions.controller.ts'),
    ]);
  });

  it('have names that say a role', () => {
    expect(SOURCES.filter((path) => /(^|\/)(utils?|helpers?|types|misc|constants)\.ts$/.test(path))).toEqual([]);
  });

  it('open each lib and module by one explicit index.ts', () => {
    const isDoor =
      /^libs\/[^/]+\/src\/index\.ts$|^src\/modules\/[^/]+\/index\.ts$|^libs\/database\/src\/migrations\/index\.ts$/;
    expect(SOURCES.filter((path) => path.endsWith('/index.ts') && !isDoor.test(path))).toEqual([]);
    expect(
      find(
        SOURCES.filter((path) => path.endsWith('/index.ts')),
        /export \*/,
      ),
    ).toEqual([]);
  });
});

describe('the tests', () => {
  it('are neither narrowed down nor switched off', () => {
    const others = SPECS.filter((path) => !path.startsWith(THIS_FOLDER));
    expect(
      find(others, /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo|fails)\b|\b(fit|xit|fdescribe|xdescribe)\(/),
    ).toEqual([]);
  });
});

describe('the tree', () => {
  it('names no folder of a particular machine', () => {
    const folders = /(?:^|[\s'"`(=:])\/(?:root|work|Users\/\w+|home\/\w+)(?:\/|['"`\s]|$)/;
    expect(
      find(
        FILES.filter((path) => !path.startsWith(THIS_FOLDER)),
        folders,
      ),
    ).toEqual([]);
  });

  it('names no package registry', () => {
    const registries = new RegExp(
      ['registry', '(npmjs|yarnpkg|npmmirror)'].join('\\.') + '|artifactory|verdaccio',
      'i',
    );
    expect(
      find(
        FILES.filter((path) => !path.startsWith(THIS_FOLDER)),
        registries,
      ),
    ).toEqual([]);
  });

  it('keeps addresses out of the lockfile', () => {
    const lockfile = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
    expect(lockfile.match(/"resolved": "[a-z+]+:/g)).toBeNull();
  });
});
