import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';

const ENTRY = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const PEERS = { 'knowledge-base-service': '>=0.1.0 <1.0.0', '@nestjs/common': '^12.0.0' };
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-plugin-'));
  folders.push(folder);
  return folder;
}

/** A folder with a package as npm would install it. */
async function makePackage(code: string, peerDependencies: object = PEERS): Promise<string> {
  const folder = await newFolder();
  const file = { name: 'acme-notes', version: '1.0.0', type: 'module', exports: './index.js', peerDependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(file));
  await writeFile(join(folder, 'index.js'), code);
  return folder;
}

/** What the service says when it starts with these packages installed and listed. */
async function refusal(packages: Readonly<Record<string, string>>, plugins: string): Promise<string> {
  const folder = await newFolder();
  for (const [name, source] of Object.entries(packages)) {
    await cp(source, join(folder, 'node_modules', name), { recursive: true });
  }
  const child = spawn(process.execPath, [ENTRY], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), PLUGINS: plugins },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  return said;
}

const ROUTE = `
  import { Controller, Get, Module } from '@nestjs/common';
  import { definePlugin } from 'knowledge-base-service/extension';
  class NotesController { read() { return { notes: [] }; } }
  Get()(NotesController.prototype, 'read', Object.getOwnPropertyDescriptor(NotesController.prototype, 'read'));
  Controller('notes')(NotesController);
  class NotesModule {}
  Module({ controllers: [NotesController] })(NotesModule);
  export default definePlugin({ name: 'acme-notes', modules: [NotesModule] });
`;

describe('a package in PLUGINS', () => {
  it('becomes part of the service, with the framework of the service', async () => {
    const service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-notes' },
      packages: { 'acme-notes': await makePackage(ROUTE) },
    });
    try {
      const description = (await (await fetch(`${new URL(service.url).origin}/api/v1/openapi.json`)).json()) as {
        paths: Record<string, unknown>;
      };
      expect(Object.keys(description.paths)).toContain('/api/v1/notes');
    } finally {
      await service.dispose();
    }
  });

  it('is named when it is not installed, and nothing is fetched', async () => {
    expect(await refusal({}, 'acme-notes, @acme/other')).toBe(
      'The settings cannot be used:\n' +
        '  - PLUGINS: acme-notes: is not installed; install the package beside the service, or take it off the list.\n' +
        '  - PLUGINS: @acme/other: is not installed; install the package beside the service, or take it off the list.\n',
    );
  });

  it.each([
    [
      'for another version',
      'export default {}',
      { 'knowledge-base-service': '^7.0.0' },
      /it is made for knowledge-base-service \^7\.0\.0, and this is \d/,
    ],
    ['for no version', 'export default {}', {}, /must name knowledge-base-service among the peerDependencies/],
    [
      'that exports something else',
      'export default { name: "acme-notes" }',
      PEERS,
      /must be the result of definePlugin/,
    ],
    ['that throws', 'throw new Error("no licence")', PEERS, /cannot be loaded: no licence/],
    [
      'whose name cannot be used',
      `import { definePlugin } from 'knowledge-base-service/extension'; export default definePlugin({ name: 'Acme!' });`,
      PEERS,
      /The plugin's name "Acme!" must hold lower-case letters/,
    ],
  ])('is refused at the start: %s', async (_case, code, peers, message) => {
    expect(await refusal({ 'acme-notes': await makePackage(code, peers) }, 'acme-notes')).toMatch(message);
  });
});
