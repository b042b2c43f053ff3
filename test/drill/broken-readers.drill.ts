import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { hidePlanted, plantWorld, WORDS, type Fate, type World } from '../support/hidden-documents/planted-world.js';
import { answersOf, SCOPES, type Reader } from '../support/hidden-documents/reader.js';
import { READERS } from '../support/hidden-documents/readers.js';
import { keepRemains, withDatabase } from '../support/hidden-documents/remains.js';
import { withApiKey } from '../support/people.js';
import { ServiceProcess } from '../support/service-process.js';
import { breaksOf, type Break, type Views } from './support/statement-breaks.js';

const PRELOAD = join(import.meta.dirname, 'support/broken-statement.mjs');
const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const readers = Object.entries(READERS);
/** A part of the path of the files whose statements are broken; all where none is named. */
const ONLY = process.env['DRILL_READERS'] ?? '';
/** Routes that keep what they have read: after a broken one the data are those of before. */
const KEEPING = new Set(['startProfileScan', 'generateCaseSet']);
/** Routes that are asked of one service before the next start. */
const COLD_EVERY = 8;
/** Text of the sources between two values, of statements and else. */
const parts = globSync('{src,libs}/**/*.ts', { cwd: ROOT })
  .filter((path) => !/spec|\/testing\//.test(path))
  .flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/`([^`]*)`/g)]
      .flatMap(([, text]) => text!.split(/\$\{[^}]*\}/))
      .filter((text) => text.length > 30)
      .map((text) => ({ path, text })),
  );

interface Broken extends Break {
  readonly file: string;
  /** Operations that send the statement. */
  readonly routes: readonly string[];
}

interface Outcome extends Broken {
  /** The route or the spec that went red. */
  readonly seenBy: string | undefined;
}

let folder: string;
let file: string;
let service: ServiceProcess;
let world: World;
let key: ApiClient;
let views: Views;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-broken-'));
  file = join(folder, 'broken.json');
  writeFileSync(file, '');
  const settings = {
    NODE_OPTIONS: `--import ${PRELOAD}`,
    BROKEN_STATEMENT_FILE: file,
    AUTH_ACCESS_TOKEN_SECONDS: '86400',
  };
  service = await ServiceProcess.start({ settings });
  const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  world = await plantWorld(admin, service);
  key = await withApiKey(world.ben, SCOPES);
  await keepRemains(service);
  await hidePlanted(world);
  views = await withDatabase(service, async (client) => {
    const viewOf = async (name: string): Promise<string> => {
      const { rows } = await client.query<{ view: string }>(`SELECT pg_get_viewdef('${name}'::regclass) AS view`);
      return rows[0]!.view.trim().replace(/;$/, '');
    };
    return { documents: await viewOf('shown_documents'), chunks: await viewOf('shown_chunks') };
  });
  await service.stop();
  await run('cp', ['-a', join(service.folder, 'data'), join(folder, 'data')]);
});
afterAll(async () => {
  await service.dispose();
  await rm(folder, { recursive: true, force: true });
});

it('goes red for every condition that a reader loses', async () => {
  const sent = await sentByRoutes();
  const outcomes: Outcome[] = [];
  for (const one of brokenPlaces(sent)) {
    const outcome = { ...one, seenBy: await whoSees(one) };
    outcomes.push(outcome);
    print(lineOf(outcome));
  }
  for (const path of notReached([...sent.values()].flat())) print(`not reached: ${path}`);
  const green = outcomes.filter(({ seenBy }) => seenBy === undefined);
  print(`${outcomes.length} conditions dropped, ${outcomes.length - green.length} red`);
  expect(green.map(lineOf)).toEqual([]);
});

/** The places of all statements that routes send, each once, with the routes. */
function brokenPlaces(sent: ReadonlyMap<string, readonly string[]>): Broken[] {
  const places = new Map<string, Broken>();
  for (const [operation, statements] of sent) {
    for (const sql of statements) {
      const path = fileOf(sql);
      if (!path.includes(ONLY)) continue;
      for (const one of breaksOf(sql, views)) {
        const place = `${path} ${one.fate} ${one.name} ${one.before}`.replaceAll(/\$\d+|\s+/g, ' ');
        const routes = places.get(place)?.routes ?? [];
        places.set(place, { ...one, file: path, routes: [...routes, operation] });
      }
    }
  }
  return [...places.values()].toSorted((one, other) => one.file.localeCompare(other.file));
}

/** First the routes of the running service, then those of one whose caches know nothing yet, then the specs beside the statement. */
async function whoSees(broken: Broken): Promise<string | undefined> {
  const { before, dropped, instead } = broken;
  writeFileSync(file, JSON.stringify({ before, dropped, instead }));
  let seen = await routeThatGives(broken);
  const isKept = broken.routes.some((operation) => KEEPING.has(operation));
  if (seen === undefined || isKept) {
    await startAnew(JSON.stringify({ before, dropped, instead }));
    seen ??= await routeThatGives(broken);
    if (isKept) await startAnew('');
  }
  return seen ?? (await specThatFails(broken));
}

async function routeThatGives({ routes, fate }: Broken): Promise<string | undefined> {
  for (const operation of routes) {
    const fates = await given(READERS[operation]!).catch((error: unknown) => error as Error);
    if (fates instanceof Error) print(`  ${operation}: ${fates.message.slice(0, 300)}`);
    else if (fates.includes(fate)) return operation;
  }
  return undefined;
}

async function specThatFails({ file: reader }: Broken): Promise<string | undefined> {
  const specs = globSync(`${dirname(reader)}/*.int-spec.ts`, { cwd: ROOT });
  if (specs.length === 0) return undefined;
  const report = join(folder, 'report.json');
  const env = { ...process.env, NODE_OPTIONS: `--import ${PRELOAD}`, BROKEN_STATEMENT_FILE: file };
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const options = ['--project', 'integration', '--reporter', 'json', '--outputFile', report];
  const ended = await run(process.execPath, [vitest, 'run', ...options, ...specs], { cwd: ROOT, env }).then(
    () => 'green',
    () => 'red',
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  const failed = testResults.find(({ status }) => status === 'failed');
  expect(ended, `${specs.join(', ')}: ${JSON.stringify(testResults).slice(0, 500)}`).toBe(
    failed === undefined ? 'green' : 'red',
  );
  return failed === undefined ? undefined : relative(ROOT, failed.name);
}

/** The statements that each route sends, and that ask what is shown. */
async function sentByRoutes(): Promise<Map<string, readonly string[]>> {
  const sent = new Map<string, readonly string[]>();
  for (const [operation, reader] of readers) {
    // What is read once and then kept is read by each of them.
    if (sent.size % COLD_EVERY === 0) await startAnew('');
    writeFileSync(`${file}.sent`, '');
    expect(await given(reader), operation).toEqual([]);
    const lines = readFileSync(`${file}.sent`, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    sent.set(
      operation,
      [...new Set(lines)].map((line) => JSON.parse(line) as string),
    );
  }
  return sent;
}

/** Whose hidden words a route gives. */
async function given(reader: Reader): Promise<Fate[]> {
  const client = reader.needsKey === true ? key : world[reader.as ?? 'ben'].client;
  const answers = await answersOf(reader, world, client);
  const allowed = new Set<string>(['kept', ...Object.keys(reader.keeps ?? {})]);
  return (Object.keys(WORDS) as Fate[]).filter((fate) => !allowed.has(fate) && answers.includes(WORDS[fate][1]));
}

/** A service on the data of the moment after the hiding, with caches that know nothing. */
async function startAnew(broken: string): Promise<void> {
  await service.stop();
  writeFileSync(file, broken);
  const data = join(service.folder, 'data');
  await rm(data, { recursive: true });
  await run('cp', ['-a', join(folder, 'data'), data]);
  await service.start();
}

function lineOf({ file: reader, fate, name, before, routes, seenBy }: Outcome): string {
  const condition = `${fate}, without ${name.replaceAll(/\s+/g, ' ').slice(0, 60)}`;
  const place = before.slice(-50).replaceAll(/\s+/g, ' ');
  return seenBy === undefined
    ? `GREEN ${reader}: ${condition} (behind "${place}"; sent by ${routes.join(', ')})`
    : `red   ${reader}: ${condition}: ${seenBy}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The file that holds the longest part of a statement. */
function fileOf(sql: string): string {
  let found = { path: 'unknown', text: '' };
  for (const part of parts) if (part.text.length > found.text.length && sql.includes(part.text)) found = part;
  return found.path;
}

/** Repositories that ask what is shown, and that no route made to. */
function notReached(statements: readonly string[]): string[] {
  const reached = new Set(statements.map((sql) => fileOf(sql)));
  const asks = (path: string): boolean =>
    /shown_documents|shown_chunks|isOpen\('/.test(readFileSync(join(ROOT, path), 'utf8'));
  return globSync('src/modules/**/*.repository.ts', { cwd: ROOT }).filter((path) => asks(path) && !reached.has(path));
}
