import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;

/** A project with this one's `.npmrc` and a dependency that asks for a Node which does not exist. */
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-npm-')));
  await copyFile(fileURLToPath(new URL('../../.npmrc', import.meta.url)), join(folder, '.npmrc'));
  await mkdir(join(folder, 'later'));
  const later = { name: 'later', version: '1.0.0', engines: { node: '>=999' } };
  await writeFile(join(folder, 'later/package.json'), JSON.stringify(later));
  const dependencies = { later: 'file:later' };
  const scripts = { says: 'echo to-output; echo to-errors >&2', fails: 'exit 7' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'first-hour', dependencies, scripts }));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Without what the npm that runs the tests hands on, and without settings of the user. */
function npm(...words: string[]): SpawnSyncReturns<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(inherited), npm_config_userconfig: join(folder, 'none') };
  return spawnSync('npm', words, { cwd: folder, env, encoding: 'utf8' });
}

it('installs without a warning under a Node that dependencies do not expect', () => {
  const { status, stdout, stderr } = npm('install', '--offline');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^added 1 package/m);
  expect(status).toBe(0);
});

it('still says why an installation failed', () => {
  const { status, stderr } = npm('install', '--offline', './missing.tgz');
  expect(stderr).toContain('npm error');
  expect(status).not.toBe(0);
});

it('hands on everything that a script writes, and its exit code', () => {
  const { stdout, stderr } = npm('run', 'says');
  expect(stdout).toContain('to-output');
  expect(stderr).toContain('to-errors');
  expect(npm('run', 'fails').status).toBe(7);
});
