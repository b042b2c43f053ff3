/**
 * Joins the built modules of the service into a few files: `node scripts/bundle-service.mjs`. Node finds, reads and links one file in place of
 * hundreds, which saves two fifths of a start. Made twice:
 *
 * - `dist/service` has the packages that every start needs inside. Their licences stand in its `LICENSES.txt`.
 * - `dist/service-with-plugins` leaves all packages outside, so that a plugin shares them with the service, and has the entry that it imports.
 *
 * What is loaded on demand (formats, models, stores) stays in files of its own. The built modules stay too: programs of worker threads, child
 * processes and commands begin there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = `${ROOT}dist/`;
const ENTRY = { 'run-service': `${BUILT}src/app/run-service.js` };
const EXTENSION = { extension: `${BUILT}src/extension.js` };
/** Its `../extension.js` is the one beside it: a plugin must get the classes that the service has. */
const PLUGIN_LOADER = `${BUILT}src/plugins/load-plugins.js`;

/** Packages that every start reads, and from many files. What they need comes along. */
const JOINED = new Set([
  ...['bullmq', 'common', 'core', 'passport', 'platform-fastify', 'swagger', 'terminus'].map(
    (name) => `@nestjs/${name}`,
  ),
  ...['cors', 'helmet', 'multipart', 'static'].map((name) => `@fastify/${name}`),
  ...['', '-communities-louvain', '-layout-forceatlas2', '-metrics'].map((name) => `graphology${name}`),
  '@modelcontextprotocol/sdk',
  'ajv',
  'class-validator',
  'cockatiel',
  'fastify',
  'file-type',
  'ipaddr.js',
  'jose',
  'libphonenumber-js',
  'markdown-it',
  'nestjs-pino',
  'passport',
  'prom-client',
  'rxjs',
  'typeorm',
  'uuid',
  'yaml',
]);
/**
 * Stay outside although a package that is joined needs them: they load files that lie beside them, or are asked for by name while the service runs
 * (by NestJS or TypeORM), or a package outside needs them too.
 */
const OUTSIDE = new Set(['bullmq', 'class-transformer', 'pg', 'pino', 'reflect-metadata', 'semver', 'thread-stream']);
/** `path/to/node_modules/NAME/`, and the name. */
const IN_PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/)(?!.*\/node_modules\/)/;
const BARE = /^(?:@[^/]+\/)?[^@/.#\0][^/]*/;
const OWN = /^(?:\.|\/|#libs\/)/;
/** Names of packages that this one depends on: they are found from its own files, in every layout of `node_modules`. */
const OURS = new Set(Object.keys(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).dependencies));
/** A file that is joined is no longer where it was. */
const BESIDE = /\b__(?:dir|file)name\b|\bimport\.meta\.(?:dir|file)name\b/;
/** Looks for a file beside it only for calls by gRPC, of which the service has none. Like the next one known by its end: `node_modules` may be a link. */
const NEVER_CALLED = '/node_modules/@nestjs/terminus/dist/health-indicator/microservice/grpc.health.js';
/** It asks for this package by name, which would be a second copy. */
const ASKS_BY_NAME = '/node_modules/@nestjs/mapped-types/dist/type-helpers.utils.js';
const ASKED = `require('class-validator')`;

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;
const MIT = (holder) => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`;

/** Our libs by their aliases, and every module at the address that it was built at: it goes on finding the files beside it. */
const ownModules = {
  name: 'own-modules',
  resolveId(id) {
    const lib = /^#libs\/(.*)$/.exec(id)?.[1];
    return lib === undefined ? undefined : `${BUILT}libs/${lib}/src/index.js`;
  },
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    const address = id === PLUGIN_LOADER ? './plugins/load-plugins.js' : `../${relative(BUILT, id)}`;
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(address)}, import.meta.url).href`);
  },
};

/**
 * Joins packages, and says which in `folders`. Fails where a joined one would find another version, or other files, than in its own folder, and
 * where a package would be both joined and outside: there must be one of each.
 */
function joinPackages() {
  const folders = new Set();
  const outside = new Set();
  return {
    name: 'join-packages',
    folders,
    async resolveId(id, importer, { kind }) {
      if (importer === undefined || isBuiltin(id) || !BARE.test(id)) return undefined;
      const name = BARE.exec(id)[0];
      const fromPackage = IN_PACKAGE.test(importer);
      if (!OUTSIDE.has(name) && (fromPackage || JOINED.has(name))) {
        const found = await this.resolve(id, importer, { kind, skipSelf: true });
        // A package that is not installed is one that may be missing.
        return found ?? { id, external: true };
      }
      const place = find(id, ROOT);
      if (fromPackage && place !== find(id, importer)) throw new Error(`${importer} has a ${id} of its own: join it.`);
      if (fromPackage && place !== undefined && !OURS.has(name)) {
        throw new Error(`${importer} needs ${name}, which is found beside it alone: join it, or depend on it.`);
      }
      if (place !== undefined) outside.add(folderOf(place));
      return { id, external: true };
    },
    transform(code, id) {
      const folder = folderOf(id);
      if (folder === undefined) return undefined;
      folders.add(folder);
      if (BESIDE.test(code) && !id.endsWith(NEVER_CALLED))
        throw new Error(`${id} looks for files beside it: leave its package outside.`);
      if (!id.endsWith(ASKS_BY_NAME)) return undefined;
      if (!code.includes(ASKED)) throw new Error(`${id} no longer asks for class-validator by name.`);
      return `import * as classValidator_ from 'class-validator';\n${code.replaceAll(ASKED, 'classValidator_')}`;
    },
    buildEnd() {
      const both = [...folders].filter((folder) => outside.has(folder));
      if (both.length > 0) throw new Error(`Both joined and outside: ${both.join(', ')}`);
    },
  };
}

/** The file that an import ends at, undefined where the package is not installed. */
function find(id, importer) {
  try {
    return createRequire(importer).resolve(id);
  } catch {
    return undefined;
  }
}

function folderOf(file) {
  return IN_PACKAGE.exec(file)?.[1];
}

/** What the licences of joined packages ask for: their texts beside the copies. Some packages name a licence and bring no text. */
function licencesOf(folders) {
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license, licenses, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const named = license ?? licenses?.[0]?.type;
    const files = readdirSync(folder, { withFileTypes: true }).filter(
      (file) => file.isFile() && LICENCE_FILE.test(file.name),
    );
    const said = files.map((file) => readFileSync(join(folder, file.name), 'utf8').trim()).sort();
    if (said.length === 0) said.push(...saidByReadme(folder));
    if (said.length === 0 && named === 'MIT')
      said.push(MIT(typeof author === 'string' ? author : (author?.name ?? name)));
    if (said.length === 0) throw new Error(`${name} says nothing of its licence (${named}): leave it outside.`);
    return [`${name} ${version}: ${named ?? 'see below'}`, ...said].join('\n\n');
  });
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The part of a package's description that grants its licence. */
function saidByReadme(folder) {
  const readme = readdirSync(folder).find((file) => /^readme(?:\.\w+)?$/i.test(file));
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const part = /^.*licen[cs]e[^\n]*\n[\s\S]*/im.exec(
    text.slice(Math.max(0, text.lastIndexOf('Permission is hereby') - 300)),
  )?.[0];
  return part?.includes('Permission is hereby granted') === true ? [part.trim()] : [];
}

async function write(dir, input, { external, plugins = [] }) {
  const bundle = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external,
    // A module may matter by being loaded alone: decorators register what they are on.
    treeshake: false,
    plugins: [ownModules, ...plugins],
  });
  // Names of classes are shown in logs and in the description of the interface.
  const names = { keepNames: true, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  await bundle.write({ dir: `${BUILT}${dir}`, format: 'esm', ...names });
  await bundle.close();
}

const packages = joinPackages();
await write('service', ENTRY, { plugins: [packages] });
writeFileSync(`${BUILT}service/LICENSES.txt`, licencesOf(packages.folders));
await write('service-with-plugins', { ...ENTRY, ...EXTENSION }, { external: (id) => !OWN.test(id) });
