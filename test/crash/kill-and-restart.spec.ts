import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToRunningEmbeddedPostgres, startEmbeddedPostgres } from '#libs/database';
import { isAlive, identifyProcess, type ProcessIdentity } from '#libs/process-lock';
import { until } from '#testing/until';
import { startUnreaped, type UnreapedProcess } from '../../libs/process-lock/src/testing/unreaped-process.js';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { crashDocument } from './support/crash-documents.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ADDRESS = /^Knowledge-base service: (http\S+)$/m;
/** Five of each moment; more with TEST_KILLS. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 25);
/** How far a start comes before it is killed, in turn: the lock of the database or of the vector store is its own, or it listens. */
const MOMENTS = ['postgres', 'vectors', 'postgres', 'vectors', 'listening'] as const;

/** One start below a parent that reaps no one, as a container's first process that is no init. */
interface Launch {
  readonly process: UnreapedProcess;
  readonly identity: ProcessIdentity;
  readonly log: string;
}

describe('A service that is killed and started again at once', () => {
  const admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  const launches: Launch[] = [];
  let folder: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'knowledge-base-')));
    for (const path of [folder, join(folder, 'data')]) {
      await mkdir(path, { recursive: true });
      // Under root PostgreSQL runs as another user, which must be able to walk through.
      await chmod(path, 0o711);
    }
  });

  afterAll(async () => {
    const last = launches.at(-1);
    if (last !== undefined && (await isAlive(last.identity))) await last.process.kill();
    for (const { process } of launches) process.dispose();
    const dataDirectory = join(folder, 'data/postgres');
    if ((await connectToRunningEmbeddedPostgres(dataDirectory)) !== null)
      await (await startEmbeddedPostgres({ dataDirectory, log: () => undefined })).stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  async function launch(): Promise<Launch> {
    const log = join(folder, `${launches.length}.log`);
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      RATE_LIMITS: 'off',
      BOOTSTRAP_ADMIN_EMAIL: admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    };
    const started = await startUnreaped([process.execPath, 'dist/src/main.js'], { cwd: ROOT, env, output: log });
    const next = { process: started, identity: (await identifyProcess(started.pid))!, log };
    launches.push(next);
    return next;
  }

  /** Waits until a text shows up in a file of the start; throws with its log when it ends before. */
  async function untilWritten({ identity, log }: Launch, file: string, wanted: RegExp): Promise<string> {
    const look = async (): Promise<string | undefined> => {
      const lives = await isAlive(identity);
      const found = wanted.exec(await readIfThere(file));
      if (found === null && !lives) throw new Error(`Start ${launches.length} ended: ${await readFile(log, 'utf8')}`);
      return found?.[1];
    };
    return until(look, { what: String(wanted), withinMs: 60_000, everyMs: 5 });
  }

  async function clientOf(start: Launch): Promise<ApiClient> {
    const { origin } = new URL(await untilWritten(start, start.log, ADDRESS));
    return new ApiClient(`${origin}/api/v1`).login(admin.email, admin.password);
  }

  async function reach(start: Launch, moment: (typeof MOMENTS)[number]): Promise<void> {
    if (moment === 'listening') await untilWritten(start, start.log, ADDRESS);
    else
      await untilWritten(
        start,
        join(folder, 'data', moment, 'owner.lock'),
        new RegExp(`"pid":(${start.process.pid})\\b`),
      );
  }

  it(`starts ${KILLS} times and has lost nothing, though nobody reaps the dead`, { timeout: 600_000 }, async () => {
    const document = crashDocument('killed', 3_000);
    let current = await launch();
    const client = await clientOf(current);
    const datasetId = await client.createDataset('killed');
    await client.upload(datasetId, document);
    for (let kill = 1; kill <= KILLS; kill++) {
      process.kill(current.process.pid, 'SIGKILL');
      current = await launch();
      await reach(current, MOMENTS[kill % MOMENTS.length]!);
    }
    const last = await clientOf(current);
    await expect
      .poll(async () => (await last.search(document.sentence, [datasetId])).results[0]?.text, { timeout: 60_000 })
      .toContain(document.sentence);
  });
});

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
