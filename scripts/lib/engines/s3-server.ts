/** A real S3 server of one's own on the loopback address, for tests and development: s3s-fs, built once from crates.io. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cacheFolder, isThere } from '#engines/machine';
import { EngineUnavailable } from '#engines/releases';
import { freePort } from '#engines/run-folder';

/** A newer one needs a newer compiler than many machines have. */
export const S3_SERVER = { name: 's3s-fs', version: '0.14.1' } as const;

/** Three minutes on two cores. */
const BUILD_MS = 20 * 60_000;
const READY_MS = 30_000;
const POLL_MS = 50;
const BUCKET = 'kb-files';
const ACCESS_KEY = 'kb-test-access';
const SECRET_KEY = 'kb-test-secret';

/** Runs the server until its own standard input ends, which comes whatever way the owner dies; then removes $1 unless it is empty. */
const KEEPER = `
  folder=$1
  shift
  "$@" &
  server=$!
  cat >/dev/null
  kill -KILL $server 2>/dev/null
  wait $server 2>/dev/null
  if [ -n "$folder" ]; then rm -rf "$folder"; fi`;

/** The program, built when it is missing. Throws EngineUnavailable when this machine cannot build it. */
export async function installS3Server(): Promise<string> {
  const { name, version } = S3_SERVER;
  const cache = await cacheFolder();
  const home = join(cache, `${name}-${version}`);
  const program = join(home, 'bin', name);
  if (await isThere(program)) return program;
  const work = await mkdtemp(join(cache, 'installing-'));
  try {
    const args = ['install', name, '--version', version, '--locked', '--features', 'binary', '--root', work];
    await promisify(execFile)('cargo', args, { timeout: BUILD_MS, maxBuffer: 64 * 1024 * 1024 });
    await rename(work, home).catch((error: unknown) => keepTheOther(error));
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim().split('\n').slice(-3).join('\n') ?? '';
    throw new EngineUnavailable(`cargo could not build ${name} ${version} from crates.io.\n${said}`, { cause });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}

/** Another process was faster: its home is as good. */
function keepTheOther(error: unknown): void {
  if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

export interface S3ServerOptions {
  /** Undefined, or taken: a free one. */
  readonly port?: number;
  /** Keeps the objects there over runs; undefined: they go with the server. */
  readonly dataFolder?: string;
}

/** One server with one bucket. `dispose` must be called; when the owner dies without it, the server ends all the same. */
export class S3Server {
  readonly port: number;
  /** Holds a folder for each bucket. */
  readonly folder: string;
  private readonly keeper: ChildProcess;

  private constructor(port: number, folder: string, keeper: ChildProcess) {
    this.port = port;
    this.folder = folder;
    this.keeper = keeper;
  }

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const program = await installS3Server();
    const port = await freePort(options.port ?? 0);
    const folder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'kb-s3-')));
    await mkdir(join(folder, BUCKET), { recursive: true });
    const serve = [
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--access-key',
      ACCESS_KEY,
      '--secret-key',
      SECRET_KEY,
    ];
    const removed = options.dataFolder === undefined ? folder : '';
    const keeper = spawn('sh', ['-c', KEEPER, 'keeper', removed, program, ...serve, folder], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'] ?? '', RUST_LOG: 'error' },
    });
    const server = new S3Server(port, folder, keeper);
    await server.waitUntilReady();
    return server;
  }

  /** The settings of the service. */
  get settings(): Readonly<Record<string, string>> {
    return {
      OBJECT_STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${this.port}`,
      S3_BUCKET: BUCKET,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: ACCESS_KEY,
      S3_SECRET_ACCESS_KEY: SECRET_KEY,
    };
  }

  get bucketFolder(): string {
    return join(this.folder, BUCKET);
  }

  async dispose(): Promise<void> {
    if (this.keeper.exitCode !== null) return;
    const gone = once(this.keeper, 'exit');
    this.keeper.stdin?.end();
    await gone;
  }

  private async waitUntilReady(): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (!(await answers(this.port))) {
      if (this.keeper.exitCode !== null || Date.now() > deadline) {
        await this.dispose();
        throw new Error(`${S3_SERVER.name} does not answer on port ${this.port}`);
      }
      await pause(POLL_MS);
    }
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThereOne: boolean) => () => {
      socket.destroy();
      resolve(isThereOne);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}
