/**
 * Builds the service and its console when `dist` is missing or was made from other sources; does nothing, in some 100 ms, when it is fresh.
 * `node scripts/build-once.mjs`, or `buildOnce()` from another script. Several processes may call it at once: one builds, the
 * others wait. `--force` builds in any case. Runs on Node 20 too, so that it can say what is missing there.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(ROOT, 'dist/src/main.js');
/** What the entry runs without plugins, and with them, which is written last. */
const BUNDLES = ['dist/service', 'dist/service-with-plugins'].map((folder) => join(ROOT, folder, 'run-service.js'));
/** Lies in `dist`, which every build empties first: a build that failed leaves none. */
const STAMP = join(ROOT, 'dist/.build-stamp');
/** The same for the console, which is built into `dist` after the service. */
const CONSOLE_STAMP = join(ROOT, 'dist/.console-stamp');
const CONSOLE = join(ROOT, 'dist/console');
const LOCK = join(ROOT, '.cache/build.lock');
const FOLDERS = ['src', 'libs'];
const FILES = [
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'package.json',
  'package-lock.json',
  'scripts/bundle-service.mjs',
];
const CONSOLE_FOLDERS = ['console'];
const CONSOLE_FILES = ['scripts/build-console.mjs', 'package-lock.json'];
/** The suites of ports are built, for packages of other teams. */
const NOT_BUILT =
  /\.(spec|int-spec)\.tsx?$|^console\/src\/api\/schema\.d\.ts$|^libs\/(?!ai\/|object-storage\/|vector-store\/).*\/testing\/|^src\/.*\/testing\//;
const SIGNALS = ['SIGINT', 'SIGTERM'];
const POLL_MS = 100;
/** A lock without a readable owner is given up after this time. */
const UNOWNED_LOCK_MS = 10_000;

/** Thrown with a message for the user; anything else is a defect. */
export class BuildError extends Error {}

/** The installation lacks something: no script can do anything useful. */
export class InstallationError extends BuildError {}

/** Makes `dist` fit the sources; with `force` even when it does already. Resolves to whether a build was needed; throws a BuildError when it fails. */
export async function buildOnce({ force = false } = {}) {
  const node = findNode();
  // An image ships what was built, and nothing to build from.
  if (!existsSync(join(ROOT, 'src')) && existsSync(ENTRY)) return false;
  if (!existsSync(join(ROOT, 'node_modules/@nestjs/cli'))) {
    throw new InstallationError('The dependencies are missing. Run "npm ci" first.');
  }
  if (!force && isFresh(fingerprintOfSources()) && isConsoleFresh(fingerprintOfConsole())) return false;
  await takeLock();
  try {
    const builtService = await buildService(node, force);
    const builtConsole = await buildConsole(node);
    return builtService || builtConsole;
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function buildService(node, force) {
  const fingerprint = fingerprintOfSources();
  if (!force && isFresh(fingerprint)) return false;
  process.stderr.write('Building the service …\n');
  await run(node, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], ENTRY);
  await run(node, ['scripts/bundle-service.mjs'], BUNDLES.at(-1));
  writeFileSync(STAMP, fingerprint);
  return true;
}

/** What was built from the same sources is kept, so that a new build of the service costs a copy. */
async function buildConsole(node) {
  const fingerprint = fingerprintOfConsole();
  if (isConsoleFresh(fingerprint)) return false;
  await run(node, ['scripts/build-console.mjs', fingerprint, CONSOLE], join(CONSOLE, 'console.json'));
  writeFileSync(CONSOLE_STAMP, fingerprint);
  return true;
}

async function run(node, args, made) {
  // What a build says is for people: the standard output belongs to the program that is started afterwards.
  const child = spawn(node, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  const [status] = await once(child, 'exit');
  for (const signal of SIGNALS) process.off(signal, pass);
  if (status !== 0 || !existsSync(made)) throw new BuildError('The build failed; its messages are above.');
}

/** This Node when it is new enough, else the one that "npm ci" installs. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  const installed = join(ROOT, 'node_modules/.bin/node');
  if (existsSync(installed)) return installed;
  throw new InstallationError(
    `This service needs Node ${NEEDED}, and runs on ${process.version}. "npm ci" brings Node ${NEEDED} along and "npm start" uses it; ` +
      'after "npm ci --ignore-scripts" it is missing: run "npm ci" again with install scripts allowed.',
  );
}

function isFresh(fingerprint) {
  const isWhole = [ENTRY, STAMP, ...BUNDLES].every((file) => existsSync(file));
  return isWhole && readFileSync(STAMP, 'utf8') === fingerprint;
}

function isConsoleFresh(fingerprint) {
  return existsSync(CONSOLE_STAMP) && readFileSync(CONSOLE_STAMP, 'utf8') === fingerprint;
}

function fingerprintOfSources() {
  return fingerprintOf(FILES, FOLDERS);
}

function fingerprintOfConsole() {
  return fingerprintOf(CONSOLE_FILES, CONSOLE_FOLDERS);
}

/** Hash of the names and contents of everything that a build reads, except node_modules, in whose place the lockfile is read. */
function fingerprintOf(files, folders) {
  const hash = createHash('sha256');
  const paths = [...files, ...folders.flatMap(listFiles)].filter((path) => existsSync(join(ROOT, path)));
  for (const path of paths.sort()) {
    const content = readFileSync(join(ROOT, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => path.slice(ROOT.length).replaceAll('\\', '/'))
    .filter((path) => !NOT_BUILT.test(path));
}

async function takeLock() {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  for (;;) {
    if (tryLock()) return;
    const abandoned = isAbandoned();
    if (abandoned) rmSync(LOCK, { force: true });
    const taken = abandoned && tryLock();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    // Two that find a dead owner at once may both take over: the one whose name is there in the end has it.
    if (taken && readLock() === String(process.pid)) return;
  }
}

function readLock() {
  return existsSync(LOCK) ? readFileSync(LOCK, 'utf8') : '';
}

function tryLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new BuildError(`The build cannot write here: ${error.message}`);
  }
}

/** Whether the process that holds the lock is gone. */
function isAbandoned() {
  try {
    const owner = Number(readLock());
    if (owner === 0) return Date.now() - statSync(LOCK).mtimeMs > UNOWNED_LOCK_MS;
    process.kill(owner, 0);
    return isZombie(owner);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** A killed process that no one has reaped still has its number, and builds nothing. */
function isZombie(pid) {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && /\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

/** As `buildOnce`, for scripts: what a user can mend is printed without a stack, and ends the process with 1. */
export async function buildOrExit(options) {
  try {
    return await buildOnce(options);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildOrExit({ force: process.argv.includes('--force') });
}
