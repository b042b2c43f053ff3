/**
 * `npm run test:generated-clients`: the generators that docs/first-hour.md names make clients of docs/openapi.json, and those compile.
 * `--check` only sees to it that the generators are there; `--only NAME` plays one;
 * `--rust` compiles the client for Rust too, which takes minutes the first time, as `--java` does for Java.
 *
 * Needs Java, Maven, python3 with venv, npm and their indexes; Rust needs cargo, and is left out, with the reason, without. What is fetched is kept in the user's cache folder, or in ENGINES_CACHE. Exit code 2 says that this machine cannot carry it, and why.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareRust } from './lib/client-compilers.mjs';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`This needs Node 24, which "npm ci" brings along; this is ${process.version}.\n`);
  process.exit(1);
}
const { cacheFolder } = await import('./lib/engines/machine.ts');

const DESCRIPTION = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
/** Exit code of a machine that cannot carry it. */
const CANNOT = 2;
/** Versions as in docs/first-hour.md. */
const NPM = ['openapi-typescript@7.13', 'openapi-fetch@0.17', '@hey-api/openapi-ts@0.95', 'typescript@5.9'];
const PIP = ['openapi-python-client==0.29.*', 'pydantic==2.*', 'urllib3==2.*', 'python-dateutil', 'typing-extensions'];
const JAR = { name: 'openapi-generator-cli-7.25.0.jar', artifact: 'org.openapitools:openapi-generator-cli:7.25.0' };
const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const TSC =
  '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable';

/** As in docs/first-hour.md. */
const USE = `import createClient from 'openapi-fetch';
import type { paths } from './schema';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8000', headers: { Authorization: 'Bearer kb_x' } });
const { data } = await client.POST('/api/v1/retrieval/search', { body: { query: 'x', dataset_ids: ['x'] } });
for (const { document_name } of data?.results ?? []) console.log(document_name.length);
export {};
`;

const USE_FETCH = `import { Configuration, IntegrationsApi, RetrievalApi, TablesApi } from './client';

const configuration = new Configuration({ basePath: 'http://127.0.0.1:8000', accessToken: 'kb_x' });
const { results } = await new RetrievalApi(configuration).search({ searchRequestDto: { query: 'x', datasetIds: ['x'] } });
for (const { documentName } of results) console.log(documentName.length);
await new TablesApi(configuration).queryTablesBySql({ id: 'x', sqlQueryRequest: { sql: 'SELECT ?', params: ['x', 1] } });
await new IntegrationsApi(configuration).handleMcpMessage({ jsonRpcMessage: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
`;

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    only: { type: 'string' },
    rust: { type: 'boolean' },
    java: { type: 'boolean' },
  },
});
const tools = await prepare();
if (values.check !== true) process.exitCode = await play();

/** Fetches what is missing, and resolves to how each program is called. */
async function prepare() {
  const folder = join(await cacheFolder(), 'generated-clients');
  await mkdir(folder, { recursive: true });
  const jar = join(folder, JAR.name);
  const python = join(folder, 'python', 'bin', 'python');
  orCannot('there is no Java', 'java', ['-version']);
  if (!existsSync(jar)) {
    const options = ['-B', '-q', MAVEN_COPY, `-Dartifact=${JAR.artifact}`, `-DoutputDirectory=${folder}`];
    orCannot(`Maven did not fetch ${JAR.artifact}`, 'mvn', options);
  }
  const modules = join(folder, 'node_modules');
  const npm = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--silent', ...NPM];
  if (!existsSync(join(modules, '.bin', 'tsc'))) orCannot(`npm did not fetch ${NPM.join(', ')}`, 'npm', npm);
  if (!existsSync(join(folder, 'python', 'bin', 'openapi-python-client'))) {
    orCannot('there is no python3 with venv', 'python3', ['-m', 'venv', '--clear', join(folder, 'python')]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PIP];
    orCannot(`no package index gave ${PIP.join(', ')}`, python, pip);
  }
  const crates = values.rust === true ? await prepareRust(join(folder, 'rust')) : { absent: 'asked for with --rust' };
  return { jar, modules, python, crates, bin: (name) => join(modules, '.bin', name) };
}

function orCannot(reason, program, options) {
  const { status, error, stderr } = spawnSync(program, options, { encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${error?.message ?? stderr}\nGenerated clients cannot be tried: ${reason}.\n`);
  process.exit(CANNOT);
}

/** What is run for each of them, in an empty folder. */
function clients() {
  const { jar, python, bin } = tools;
  const generate = ['java', '-jar', jar, 'generate', '-i', DESCRIPTION, '-o', 'client'];
  const compile = (...files) => [bin('tsc'), ...TSC.split(' '), ...files];
  return {
    'openapi-typescript': [
      [bin('openapi-typescript'), DESCRIPTION, '--default-non-nullable=false', '-o', 'schema.d.ts'],
      compile('use.ts'),
    ],
    'typescript-fetch of openapi-generator': [
      [...generate, '-g', 'typescript-fetch'],
      compile('client/index.ts', 'use-fetch.ts'),
    ],
    'hey-api': [[bin('openapi-ts'), '-i', DESCRIPTION, '-o', 'client'], compile('client/index.ts')],
    'openapi-python-client': [
      [join(python, '..', 'openapi-python-client'), 'generate', '--path', DESCRIPTION, '--output-path', 'client'],
      [python, '-m', 'compileall', '-q', 'client'],
      [python, '-c', importAll('client', 'knowledge_base_service_client')],
    ],
    'python of openapi-generator': [
      [...generate, '-g', 'python', '--additional-properties=packageName=kb_client'],
      [python, '-m', 'compileall', '-q', 'client/kb_client'],
      [python, '-c', importAll('client', 'kb_client')],
    ],
    ...compiledClients(generate),
  };
}

/** Those of languages that a machine may not have: in place of the commands, why they are left out. */
function compiledClients(generate) {
  const { crates } = tools;
  const mappings = ['--name-mappings', 'true=_true,false=_false'];
  return {
    'java of openapi-generator':
      values.java === true
        ? [
            [...generate, '-g', 'java', '--library', 'apache-httpclient', ...mappings],
            ['mvn', '-B', '-q', '-f', 'client/pom.xml', 'compile'],
          ]
        : 'asked for with --java',
    'rust of openapi-generator': crates.absent ?? [
      [...generate, '-g', 'rust', '--additional-properties=packageName=kb_client'],
      ['cp', join(crates.path, 'Cargo.lock'), 'client/Cargo.lock'],
      [
        'cargo',
        'check',
        '--quiet',
        '--offline',
        '--no-default-features',
        '--manifest-path',
        'client/Cargo.toml',
        '--target-dir',
        join(crates.path, 'target'),
      ],
    ],
  };
}

/** Modules name each other: all are loaded. */
function importAll(folder, name) {
  return `
import importlib, pkgutil, sys
sys.path.insert(0, ${JSON.stringify(folder)})
package = importlib.import_module(${JSON.stringify(name)})
names = [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]
assert len(names) > 100, names
for name in names: importlib.import_module(name)
`;
}

async function play() {
  const chosen = Object.entries(clients()).filter(([name]) => values.only === undefined || values.only === name);
  let failed = chosen.length === 0 ? 1 : 0;
  let skipped = 0;
  for (const [name, commands] of chosen) {
    if (typeof commands === 'string') {
      console.log(`skipped ${name}: ${commands}`);
      skipped += 1;
      continue;
    }
    const began = performance.now();
    const problem = await problemOf(commands);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${problem === undefined ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${problem === undefined ? '' : `\n${problem}`}`,
    );
    if (problem !== undefined) failed += 1;
  }
  console.log(`${chosen.length - failed - skipped} compile, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}

async function problemOf(commands) {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  try {
    await symlink(tools.modules, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
    await writeFile(join(folder, 'use.ts'), USE);
    await writeFile(join(folder, 'use-fetch.ts'), USE_FETCH);
    for (const [program, ...options] of commands) {
      const { status, error, stdout, stderr } = spawnSync(program, options, {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      if (status !== 0) return error?.message ?? `${stdout}\n${stderr}`.trim().split('\n').slice(0, 20).join('\n');
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
