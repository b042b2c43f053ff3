/**
 * `npm run engines`: real search engines on the loopback address, without containers, for tests and development.
 *
 *   npm run engines                                both, until Ctrl-C; prints their versions and addresses
 *   npm run engines -- --only opensearch           one of them
 *   npm run engines -- --data DIR                  keeps the indexes in DIR (else they go with the engines)
 *   npm run engines -- --heap 1024 --compiler full as in production, for measuring
 *   npm run engines -- --check                     fetches what is missing and starts nothing
 *   npm run engines -- --then npm run test:engines runs a command beside them and ends with its exit code
 *
 * They come from Maven Central (needs mvn and a JDK 21 or newer) and are kept in the user's cache folder, or in ENGINES_CACHE.
 * Exit code 2 says that this machine cannot carry them, and why.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `This needs Node 24, which "npm ci" brings along and "npm run engines" uses; this is ${process.version}.\n`,
  );
  process.exit(1);
}
const { ENGINE_KINDS, ENGINE_RELEASES, EngineUnavailable, startEngine } =
  await import('./lib/engines/engine-process.ts');
const { installEngine } = await import('./lib/engines/installation.ts');

const CANNOT = 2;
const options = readOptionsOrExit();
const kinds = options.only === undefined ? ENGINE_KINDS : [options.only];
const running = [];

/** @type {(signal: string) => void} */
let stop;
const stopped = new Promise((done) => {
  stop = done;
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop(signal));

function readOptionsOrExit() {
  try {
    return readOptions();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function readOptions() {
  const args = process.argv.slice(2);
  const at = args.indexOf('--then');
  const command = at === -1 ? [] : args.splice(at).slice(1);
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      check: { type: 'boolean', default: false },
      data: { type: 'string' },
      heap: { type: 'string', default: '512' },
      compiler: { type: 'string', default: 'quick' },
    },
  });
  const problems = [];
  if (values.only !== undefined && !ENGINE_KINDS.includes(values.only)) {
    problems.push(`--only takes ${ENGINE_KINDS.join(' or ')}`);
  }
  if (!/^\d{3,5}$/.test(values.heap)) problems.push('--heap takes a number of megabytes');
  if (!['quick', 'full'].includes(values.compiler)) problems.push('--compiler takes quick or full');
  if (at !== -1 && command.length === 0) problems.push('--then needs a command');
  if (problems.length > 0) throw new TypeError(`${problems.join('; ')}.`);
  return { ...values, command };
}

async function startAll() {
  const started = await Promise.allSettled(
    kinds.map((kind) =>
      startEngine(kind, {
        port: ENGINE_RELEASES[kind].defaultPort,
        heapMegabytes: Number(options.heap),
        compiler: options.compiler,
        dataFolder: options.data === undefined ? undefined : join(resolve(options.data), kind),
      }),
    ),
  );
  for (const result of started) if (result.status === 'fulfilled') running.push(result.value);
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The settings of the service, and the same for the tests, which write to and drop indexes of these engines only. */
function environment() {
  const entries = running.map(({ kind, url }) => [ENGINE_RELEASES[kind].setting, url]);
  return Object.fromEntries(
    entries.flatMap(([name, url]) => [
      [name, url],
      [`TEST_${name}`, url],
    ]),
  );
}

async function runBeside([command, ...args]) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment() } });
  void stopped.then((signal) => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function main() {
  if (options.check) {
    for (const kind of kinds) {
      const { version, java } = await installEngine(kind);
      console.log(`${ENGINE_RELEASES[kind].title} ${version} on Java ${java.major}`);
    }
    return 0;
  }
  const starting = startAll();
  if (await Promise.race([starting, stopped])) {
    await starting.catch(() => undefined);
    return 0;
  }
  for (const { kind, version } of running) console.log(`${ENGINE_RELEASES[kind].title} ${version}`);
  for (const [name, url] of Object.entries(environment())) if (!name.startsWith('TEST_')) console.log(`${name}=${url}`);
  if (options.command.length > 0) return runBeside(options.command);
  console.log('Stop them with Ctrl-C.');
  // The engines and their guards do not hold the process: this does.
  const held = setInterval(() => undefined, 60_000);
  await stopped;
  clearInterval(held);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof EngineUnavailable)) throw error;
  console.log(error.message);
  process.exitCode = CANNOT;
} finally {
  await Promise.all(running.map((engine) => engine.dispose()));
}
