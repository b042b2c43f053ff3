import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED_IMPORTS, BROKEN_IMPORTS, FILES, PACKAGES } from './import-fixtures.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
const CRUISER = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

let directory: string;
let violations: readonly Violation[];

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), content);
}

/** A small project with one file for every fixture, and empty packages in place of the real ones. */
async function writeProject(): Promise<void> {
  const { dependencies, devDependencies } = PACKAGES;
  const asVersions = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const imports = { '#libs/*': { source: './libs/*/src/index.ts' } };
  const manifest = { name: 'fixture', type: 'module', imports };
  const named = { dependencies: asVersions(dependencies), devDependencies: asVersions(devDependencies) };
  await write('package.json', JSON.stringify({ ...manifest, ...named }));
  await write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { module: 'nodenext', customConditions: ['source'] } }),
  );
  for (const name of [...dependencies, ...devDependencies, ...PACKAGES.undeclared]) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, 'module.exports = {};\n');
  }
  for (const [path, content] of Object.entries(FILES)) await write(path, content);
}

/** dependency-cruiser exits with the number of violations; its report is on the standard output all the same. */
async function cruise(): Promise<readonly Violation[]> {
  const args = [CRUISER, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', 'src', 'libs'];
  const options = { cwd: directory, maxBuffer: 64 * 1024 * 1024 };
  const output = await promisify(execFile)(process.execPath, args, options).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      if (stdout === '') throw new Error(`dependency-cruiser failed: ${stderr}`);
      return stdout;
    },
  );
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kb-architecture-'));
  await writeProject();
  violations = await cruise();
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function rulesBrokenBy(from: string): string[] {
  return violations.filter((violation) => violation.from === from).map(({ rule }) => rule.name);
}

describe('the rules about imports', () => {
  it.each(BROKEN_IMPORTS)('$rule fires for $from', ({ rule, from }) => {
    expect(rulesBrokenBy(from)).toContain(rule);
  });

  it.each(ALLOWED_IMPORTS)('nothing fires for $from', ({ from }) => {
    expect(rulesBrokenBy(from)).toEqual([]);
  });

  it('have a fixture each', () => {
    const proven = new Set(BROKEN_IMPORTS.map(({ rule }) => rule));
    expect(config.forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([]);
  });

  it('fire for nothing but what a fixture means to break', () => {
    const meant = new Set(BROKEN_IMPORTS.map(({ from }) => from));
    expect(violations.filter(({ from }) => !meant.has(from)).map(({ from, rule }) => `${rule.name}: ${from}`)).toEqual(
      [],
    );
  });
});
