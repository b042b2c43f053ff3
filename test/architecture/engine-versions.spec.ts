import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENGINE_KINDS, ENGINE_RELEASES } from '../../scripts/lib/engines/engine-process.js';

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, { readonly image: string; readonly ports: readonly string[] }>>;
}

const read = async (name: string): Promise<ComposeFile> =>
  parse(await readFile(new URL(`../../docker/${name}`, import.meta.url), 'utf8')) as ComposeFile;

it.each(ENGINE_KINDS)('compose.%s.yml starts the version that the tests run on, at the same address', async (kind) => {
  const { version, setting, defaultPort } = ENGINE_RELEASES[kind];
  const { name, services } = await read(`compose.${kind}.yml`);
  expect(Object.keys(services)).toEqual([kind]);
  expect(services[kind]!.image).toMatch(new RegExp(`/${kind}:${version}$`));
  expect(services[kind]!.ports).toEqual([`127.0.0.1:\${KB_${setting.replace('_URL', '_PORT')}:-${defaultPort}}:9200`]);
  expect(name).toBe((await read('compose.yml')).name);
});
