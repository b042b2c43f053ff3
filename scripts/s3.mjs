/**
 * `npm run s3`: a real S3 server on the loopback address, without containers, for tests and development.
 *
 *   npm run s3                            until Ctrl-C; prints the settings of a service that uses it
 *   npm run s3 -- --data DIR              keeps the objects in DIR (else they go with the server)
 *   npm run s3 -- --check                 builds what is missing and starts nothing
 *   npm run s3 -- --then npm run test:s3  runs a command beside it and ends with its exit code
 *
 * The server is s3s-fs, built once with cargo and kept in the user's cache folder, or in ENGINES_CACHE.
 * Exit code 2 says that this machine cannot carry it, and why.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `This needs Node 24, which "npm ci" brings along and "npm run s3" uses; this is ${process.version}.\n`,
  );
  process.exit(1);
}
const { EngineUnavailable } = await import('./lib/engines/releases.ts');
const { installS3Server, S3_SERVER, S3Server } = await import('./lib/engines/s3-server.ts');

const CANNOT = 2;
const DEFAULT_PORT = 9000;
const args = process.argv.slice(2);
const at = args.indexOf('--then');
const command = at === -1 ? [] : args.splice(at).slice(1);
const { values: options } = parseArgs({
  args,
  options: { check: { type: 'boolean', default: false }, data: { type: 'string' } },
});

/** @type {(signal: string) => void} */
let stop;
const stopped = new Promise((done) => {
  stop = done;
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop(signal));

async function runBeside(server, [program, ...parameters]) {
  const settings = Object.entries(server.settings);
  // For the tests, which write to and delete from this bucket only: `OBJECT_STORAGE` of a service is chosen by them.
  const environment = Object.fromEntries(settings.map(([name, value]) => [`TEST_${name}`, value]));
  const child = spawn(program, parameters, { stdio: 'inherit', env: { ...process.env, ...environment } });
  void stopped.then((signal) => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function main() {
  if (options.check) {
    await installS3Server();
    console.log(`${S3_SERVER.name} ${S3_SERVER.version}`);
    return 0;
  }
  const dataFolder = options.data === undefined ? undefined : resolve(options.data);
  const server = await S3Server.start({ port: DEFAULT_PORT, dataFolder });
  try {
    if (command.length > 0) return await runBeside(server, command);
    for (const [name, value] of Object.entries(server.settings)) console.log(`${name}=${value}`);
    console.log('Stop it with Ctrl-C.');
    await stopped;
    return 0;
  } finally {
    await server.dispose();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof EngineUnavailable)) throw error;
  console.log(error.message);
  process.exitCode = CANNOT;
}
