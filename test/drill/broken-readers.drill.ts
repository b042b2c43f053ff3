import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { hidePlanted, plantWorld, WORDS, type Fate, type World } from '../support/hidden-documents/planted-world.js';
import { answersOneByOne, SCOPES, type Reader } from '../support/hidden-documents/reader.js';
import { READERS } from '../support/hidden-documents/readers.js';
import { keepRemains, withDatabase } from '../support/hidden-documents/remains.js';
import { withApiKey } from '../support/people.js';
import { ServiceProcess } from '../support/service-process.js';
import { tableOf, type Outcome } from './support/planted-table.js';
import { breaksOf, type Break, type Views } from './support/statement-breaks.js';

const PRELOAD = join(import.meta.dirname, 'support/broken-statement.mjs');
const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const readers = Object.entries(READERS);
/** Matches the paths of the files whose statements are broken; all where none is named. */
const ONLY = new RegExp(process.env['DRILL_READERS'] ?? '');
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

/** What went red. */
interface Found extends Pick<Outcome, 'nets'> {
  readonly seenBy: string;
}

interface Place extends Break {
  readonly file: string;
  /** Operations that send the statement. */
  readonly routes: readonly string[];
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
  const all = placesIn(sent);
  const places = all.filter((one) => ONLY.test(one.file));
  const seen = new Map<Place, Found>();
  for (const one of places) {
    const route = await routeThatSees([one], one);
    if (route === undefined) continue;
    seen.set(one, { seenBy: route, nets: [] });
    print(lineOf(one, seen.get(one)));
  }
  for (const one of places.filter((place) => !seen.has(place))) {
    const found = (await specThatFails(one)) ?? (await seenWithNets(one, all));
    if (found !== undefined) seen.set(one, found);
    print(lineOf(one, found));
  }
  for (const path of notReached([...sent.values()].flat())) print(`not reached: ${path}`);
  const green = places.filter((one) => !seen.has(one));
  const outcomes = places.map((one) => ({ ...one, ...(seen.get(one) ?? { seenBy: undefined, nets: [] }) }));
  print(['', ...tableOf(outcomes), ''].join('\n'));
  print(`${places.length} conditions dropped, ${places.length - green.length} red`);
  expect(green.map((one) => lineOf(one, undefined))).toEqual([]);
});

/** The places of all statements that routes send, each once, with the routes. */
function placesIn(sent: ReadonlyMap<string, readonly string[]>): Place[] {
  const places = new Map<string, Place>();
  for (const [operation, statements] of sent) {
    for (const sql of statements) {
      const path = fileOf(sql);
      for (const one of breaksOf(sql, views)) {
        const place = `${path} ${one.fate} ${one.name} ${one.before}`.replaceAll(/\$\d+|\s+/g, ' ');
        const routes = places.get(place)?.routes ?? [];
        places.set(place, { ...one, file: path, routes: [...routes, operation] });
      }
    }
  }
  return [...places.values()].toSorted((one, other) => one.file.localeCompare(other.file));
}

/** First the routes of the running service, then those of one whose caches know nothing yet. */
async function routeThatSees(broken: readonly Break[], { routes, fate }: Place): Promise<string | undefined> {
  breakNow(broken);
  let seen = await routeThatGives(routes, fate);
  const isKept = routes.some((operation) => KEEPING.has(operation));
  if (seen === undefined || isKept) {
    await startAnew(broken);
    seen ??= await routeThatGives(routes, fate);
    if (isKept) await startAnew([]);
  }
  expectStatements();
  return seen;
}

async function routeThatGives(routes: readonly string[], fate: Fate): Promise<string | undefined> {
  for (const operation of routes) {
    const answers = await answered(READERS[operation]!).catch((error: unknown) => error as Error);
    // The reader's own test fails of it, too.
    if (answers instanceof Error) return `${operation} (500)`;
    if (fatesIn(READERS[operation]!, answers.join('\n')).includes(fate)) return operation;
    const isCounted = (READERS[operation]!.counts ?? []).every((count) => answers.join('\n').includes(count));
    if (!isCounted) return `${operation} (counts)`;
  }
  return undefined;
}

/** The requests of a route that give a hidden word away when a service without caches has lost these conditions; none where the route fails of it. */
async function requestsThatGive(broken: readonly Break[], operation: string, fate: Fate): Promise<number[]> {
  await startAnew(broken);
  const answers = await answered(READERS[operation]!).catch((error: unknown) => error as Error);
  expectStatements();
  if (answers instanceof Error) return [];
  return answers.flatMap((answer, n) => (fatesIn(READERS[operation]!, answer).includes(fate) ? [n] : []));
}

/**
 * The place dropped together with all others of a route, and those without it: a request that gives a word only in the first case is one for which the
 * place holds what the others let through. Of the others are told those of one file where that is enough.
 */
async function seenWithNets(one: Place, all: readonly Place[]): Promise<Found | undefined> {
  for (const route of one.routes) {
    const others = all.filter((other) => other !== one && other.fate === one.fate && other.routes.includes(route));
    if (others.length === 0) continue;
    const given = await requestsThatGive([...others, one], route, one.fate);
    if (given.length === 0) continue;
    const without = new Set(await requestsThatGive(others, route, one.fate));
    const held = given.filter((request) => !without.has(request));
    if (held.length === 0) continue;
    for (const net of new Set(others.map((other) => other.file))) {
      const some = others.filter((other) => other.file === net);
      const seen = await requestsThatGive([...some, one], route, one.fate);
      if (held.some((request) => seen.includes(request))) return { seenBy: route, nets: [net] };
    }
    return { seenBy: route, nets: [...new Set(others.map((other) => other.file))] };
  }
  return undefined;
}

/** The spec beside the statement. */
async function specThatFails(one: Place): Promise<Found | undefined> {
  const specs = globSync(`${dirname(one.file)}/*.int-spec.ts`, { cwd: ROOT });
  if (specs.length === 0) return undefined;
  breakNow([one]);
  const report = join(folder, 'report.json');
  const env = { ...process.env, NODE_OPTIONS: `--import ${PRELOAD}`, BROKEN_STATEMENT_FILE: file };
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const options = ['--project', 'integration', '--reporter', 'json', '--outputFile', report];
  const ended = await run(process.execPath, [vitest, 'run', ...options, ...specs], { cwd: ROOT, env }).then(
    () => 'green',
    () => 'red',
  );
  expectStatements();
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  const failed = testResults.find(({ status }) => status === 'failed');
  expect(ended, `${specs.join(', ')}: ${JSON.stringify(testResults).slice(0, 500)}`).toBe(
    failed === undefined ? 'green' : 'red',
  );
  return failed === undefined ? undefined : { seenBy: relative(ROOT, failed.name), nets: [] };
}

/** The statements that each route sends, and that ask what is shown. */
async function sentByRoutes(): Promise<Map<string, readonly string[]>> {
  const sent = new Map<string, readonly string[]>();
  for (const [operation, reader] of readers) {
    // What is read once and then kept is read by each of them.
    if (sent.size % COLD_EVERY === 0) await startAnew([]);
    writeFileSync(`${file}.sent`, '');
    expect(fatesIn(reader, (await answered(reader)).join('\n')), operation).toEqual([]);
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

/** What a route answers to the one who asks, an answer for each request. */
async function answered(reader: Reader): Promise<string[]> {
  return answersOneByOne(reader, world, reader.needsKey === true ? key : world[reader.as ?? 'ben'].client);
}

/** Whose hidden words an answer gives. */
function fatesIn({ keeps = {} }: Reader, answer: string): Fate[] {
  const allowed = new Set<string>(['kept', ...Object.keys(keeps)]);
  return (Object.keys(WORDS) as Fate[]).filter((fate) => !allowed.has(fate) && answer.includes(WORDS[fate][1]));
}

/** A service on the data of the moment after the hiding, with caches that know nothing. */
async function startAnew(broken: readonly Break[]): Promise<void> {
  await service.stop();
  breakNow(broken);
  const data = join(service.folder, 'data');
  await rm(data, { recursive: true });
  await run('cp', ['-a', join(folder, 'data'), data]);
  await service.start();
}

function breakNow(broken: readonly Break[]): void {
  writeFileSync(file, JSON.stringify(broken.map(({ before, dropped, instead }) => ({ before, dropped, instead }))));
}

/** What PostgreSQL refuses as no statement shows nothing of a reader. */
function expectStatements(): void {
  const refused = existsSync(`${file}.refused`) ? readFileSync(`${file}.refused`, 'utf8') : '';
  expect(refused, 'statements that the server refuses since they were changed').toBe('');
}

function lineOf({ file: reader, fate, name, before, routes }: Place, found: Found | undefined): string {
  const condition = `${fate}, without ${name.replaceAll(/\s+/g, ' ').slice(0, 60)}`;
  const place = before.slice(-50).replaceAll(/\s+/g, ' ');
  if (found === undefined) return `GREEN ${reader}: ${condition} (behind "${place}"; sent by ${routes.join(', ')})`;
  const nets = found.nets.length === 0 ? '' : ` together with ${found.nets.join(', ')}`;
  return `red   ${reader}: ${condition}${nets}: ${found.seenBy}`;
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
