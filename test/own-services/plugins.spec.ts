import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../../scripts/lib/api-client.js';
import type { DocumentRecord } from '../../scripts/lib/api-records.js';
import { bringData } from '../support/data-template.js';
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
async function makePackage(
  code: string,
  peerDependencies: object = PEERS,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await newFolder();
  const file = { name: 'acme-notes', version: '1.0.0', type: 'module', exports: './index.js', peerDependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(file));
  for (const [name, text] of Object.entries({ ...files, 'index.js': code })) await writeFile(join(folder, name), text);
  return folder;
}

/** What the service says when it starts with these packages installed and listed, in its environment or in a `.env` file. */
async function refusal(
  packages: Readonly<Record<string, string>>,
  plugins: string,
  place: 'environment' | '.env' = 'environment',
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await newFolder();
  // Under root PostgreSQL runs as another user, which must be able to walk through.
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'data'), { mode: 0o711 });
  await bringData(join(folder, 'data'));
  if (place === '.env') await writeFile(join(folder, '.env'), `PLUGINS="${plugins}"\n`);
  for (const [name, source] of Object.entries(packages)) {
    await cp(source, join(folder, 'node_modules', name), { recursive: true });
  }
  const child = spawn(process.execPath, [ENTRY], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: join(folder, 'data'),
      ...(place === 'environment' ? { PLUGINS: plugins } : {}),
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A service that starts is ended, and its exit is not that of a refusal.
    timeout: 60_000,
  });
  const [said, [code]] = await Promise.all([readText(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  return said;
}

/** A plugin with one route, whose method has `decorators` besides. */
const withRoute = (decorators: string, name = 'acme-notes'): string => `
  import { Controller, Get, Module } from '@nestjs/common';
  import { ApiOperation } from '@nestjs/swagger';
  import { definePlugin, Permit, Public } from 'knowledge-base-service/extension';
  class NotesController { read() { return { notes: [] }; } }
  const method = Object.getOwnPropertyDescriptor(NotesController.prototype, 'read');
  for (const decorate of [Get(), ${decorators}]) decorate(NotesController.prototype, 'read', method);
  Controller('${name}')(NotesController);
  class NotesModule {}
  Module({ controllers: [NotesController] })(NotesModule);
  export default definePlugin({ name: '${name}', modules: [NotesModule] });
`;

const FORMAT = `
  import { defineFormat, definePlugin } from 'knowledge-base-service/extension';
  export default definePlugin({ name: 'acme-notes', formats: [defineFormat({
    mediaType: 'application/x-acme-notes', family: 'text', extensions: ['note'], name: 'Notes of Acme',
    parser: new URL('./note.parser.js', import.meta.url).href })] });
`;

const PARSER = `
  import { readFile } from 'node:fs/promises';
  import { ParseError } from 'knowledge-base-service/extension';
  export default async ({ path }, output) => {
    const text = await readFile(path, 'utf8');
    if (!text.startsWith('NOTE ')) throw new ParseError('MALFORMED', 'The file does not begin with NOTE; save it again.');
    const start = output.position;
    output.writeText(text);
    output.writeBlock({ kind: 'paragraph', start, end: output.position });
    return {};
  };
`;

/** A parser whose result is what the file says it is, as JavaScript. */
const ODD_PARSER = `
  import { readFile } from 'node:fs/promises';
  export default async ({ path }, output) => {
    const text = await readFile(path, 'utf8');
    output.writeText(text);
    return new Function('output', 'text', text)(output, text);
  };
`;
const ODD_RESULTS = [
  'output.writeBlock({ kind: "paragraph", start: 0, end: text.length + 9 }); return {};',
  'output.writeBlock({ kind: "paragraph", start: NaN, end: NaN }); return {};',
  'output.writeBlock({ kind: "image", start: 0, end: 9 }); return {};',
  'output.writeBlock({ kind: "paragraph", start: 9, end: 20 }); output.writeBlock({ kind: "paragraph", start: 0, end: 12 }); return {};',
  'return;',
  'return { title: { of: "a book" } };',
  'return { pageCount: NaN };',
  'return { warnings: "all of it" };',
  'return { warnings: Array.from({ length: 1e6 }, () => ({ code: "ODD", detail: "odd" })) };',
  'return { fidelity: { pages: 1n } };',
];

describe('a package in PLUGINS', () => {
  it('becomes part of the service, with the framework of the service', async () => {
    const service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-notes' },
      packages: { 'acme-notes': await makePackage(withRoute('Public()')) },
    });
    try {
      const description = (await (await fetch(`${new URL(service.url).origin}/api/v1/openapi.json`)).json()) as {
        paths: Record<string, unknown>;
      };
      expect(Object.keys(description.paths)).toContain('/api/v1/acme-notes');
    } finally {
      await service.dispose();
    }
  });

  it('has files of its own format read in the limited child, and refused with its words', async () => {
    const service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-notes' },
      packages: { 'acme-notes': await makePackage(FORMAT, PEERS, { 'note.parser.js': PARSER }) },
    });
    try {
      const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
      const dataset = await admin.createDataset('notes');
      const upload = async (name: string, content: string): Promise<DocumentRecord> => {
        const { id } = await admin.upload(dataset, { name, content: Buffer.from(content) }, {});
        return admin.pollUntilTerminal(id);
      };
      const read = await upload('a.note', 'NOTE The heron stands in the reeds.');
      expect(read).toMatchObject({ status: 'completed', media_type: 'application/x-acme-notes' });
      const refused = await upload('b.note', 'nothing');
      expect(refused).toMatchObject({
        status: 'failed',
        error: { code: 'MALFORMED' },
        error_message: 'The file does not begin with NOTE; save it again.',
      });
    } finally {
      await service.dispose();
    }
  });

  it('fails the document alone whose parser gives a result of another shape', async () => {
    const service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-notes' },
      packages: { 'acme-notes': await makePackage(FORMAT, PEERS, { 'note.parser.js': ODD_PARSER }) },
    });
    try {
      const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
      const dataset = await admin.createDataset('notes');
      const files = [
        ...ODD_RESULTS,
        'return { title: "a \\ud83d title \\0", warnings: [{ code: "ODD", detail: "\\udc00" }] };',
      ];
      const ids = await Promise.all(
        files.map(
          async (content, n) =>
            (await admin.upload(dataset, { name: `${n}.note`, content: Buffer.from(content) }, {})).id,
        ),
      );
      const ended = await Promise.all(ids.map((id) => admin.pollUntilTerminal(id)));
      const good = ended.pop()!;
      expect(ended.map(({ status, error }) => [status, error?.code, error?.retryable])).toEqual(
        ODD_RESULTS.map(() => ['failed', 'PARSER_CRASHED', false]),
      );
      expect(good).toMatchObject({ status: 'completed', warnings: [{ code: 'ODD', detail: '\uFFFD' }] });
    } finally {
      await service.dispose();
    }
  });

  it('shares the framework of the service when a `.env` file names it', async () => {
    // The route is found by what the service's own NestJS reads, and refused.
    const packages = { 'acme-notes': await makePackage(withRoute('')) };
    expect(await refusal(packages, 'acme-notes', '.env')).toMatch(/NotesController\.read says for whom it is neither/);
  });

  it('is named when it is not installed, and nothing is fetched', async () => {
    expect(await refusal({}, 'acme-notes, @acme/other')).toBe(
      'The settings cannot be used:\n' +
        '  - PLUGINS: acme-notes: is not installed; install the package beside the service, or take it off the list.\n' +
        '  - PLUGINS: @acme/other: is not installed; install the package beside the service, or take it off the list.\n',
    );
  });

  it('does not hide what is wrong with other settings', async () => {
    const folder = await makePackage('throw new Error("no licence.")');
    expect(
      await refusal({ 'acme-notes': folder }, 'acme-notes', 'environment', { PORT: 'x', CHAT_PROVIDER: 'acme' }),
    ).toBe(
      'The settings cannot be used:\n' +
        '  - PLUGINS: acme-notes: cannot be loaded: no licence.\n' +
        '  - PORT: "x" must be a whole number from 0 to 65535.\n',
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
    [
      'with a part that there is not',
      `import { definePlugin } from 'knowledge-base-service/extension'; export default definePlugin({ name: 'acme', module: [] });`,
      PEERS,
      /cannot be loaded: The plugin "acme" has no part "module"; it may have modules, .*, migrations\.\n/,
    ],
    [
      'with a part of another shape',
      `import { definePlugin } from 'knowledge-base-service/extension'; export default definePlugin({ name: 'acme', modules: [undefined] });`,
      PEERS,
      /modules of the plugin "acme" must be a list, and each of it a class with @Module\.\n/,
    ],
    [
      'whose parser is missing',
      FORMAT,
      PEERS,
      /the parser of application\/x-acme-notes is missing: \/.*note\.parser\.js\.\n/,
    ],
    [
      'whose format looks like nothing known',
      FORMAT.replace(`'text'`, `'words'`),
      PEERS,
      /the family of application\/x-acme-notes is "words" and none of text, pdf, zip, ole, binary\.\n/,
    ],
    [
      "with a setting of the service's own",
      `import { defineEmbedder, definePlugin, text } from 'knowledge-base-service/extension';
       export default definePlugin({ name: 'acme', embedders: [defineEmbedder({ kind: 'acme', processes: 'many', packages: [],
         settings: { port: text('PORT', 'x', { section: 'Models', description: 'Port of Acme.' }) }, open: async () => ({}) })] });`,
      PEERS,
      /PLUGINS: the plugin "acme": there is a setting PORT already; begin the name of its own with its name\.\n/,
    ],
  ])('is refused at the start: %s', async (_case, code, peers, message) => {
    expect(await refusal({ 'acme-notes': await makePackage(code, peers) }, 'acme-notes')).toMatch(message);
  });

  it.each([
    [
      'a route that says for whom it is by nothing',
      { 'acme-notes': withRoute('') },
      /^The routes cannot be served:\n {2}- NotesController\.read says for whom it is neither by @Permit nor by @Public; add one of them\.\n$/,
    ],
    [
      "an operation id of the service's own",
      { 'acme-notes': withRoute(`Public(), ApiOperation({ operationId: 'createDataset' })`) },
      /"createDataset" is on \w+Controller\.create and NotesController\.read; give each an id of its own/,
    ],
    [
      "an address of the service's own",
      {
        'acme-notes': withRoute('Public()', 'datasets/:name/health').replace(
          /name: '.*?', modules/,
          `name: 'acme-notes', modules`,
        ),
      },
      /GET \/datasets\/:\/health is served by \w+\.\w+ and NotesController\.read; give each a path of its own\.\n/,
    ],
    [
      'an operation id of another plugin',
      { 'acme-notes': withRoute('Public()'), 'beta-notes': withRoute(`Permit('datasets:read')`, 'beta-notes') },
      /"Notes_read" is on NotesController\.read and NotesController\.read; /,
    ],
  ])('is refused at the start with %s', async (_case, codes, message) => {
    const packages: Record<string, string> = {};
    for (const [name, code] of Object.entries(codes)) packages[name] = await makePackage(code);
    expect(await refusal(packages, Object.keys(packages).join())).toMatch(message);
  });
});
