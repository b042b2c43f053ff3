/** The folder that one running engine writes to: its configuration, data, logs and temporary files. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRoot, namesIn, readIfThere, runsFolder, UNPRIVILEGED } from '#engines/machine';
import { ENGINE_RELEASES, type EngineKind } from '#engines/releases';

/** In the run folder: the process that started the engine, and the process group of the engine. */
const OWNER_FILE = 'owner.pid';
const ENGINE_FILE = 'engine.pid';

export interface RunSettings {
  readonly httpPort: number;
  readonly transportPort: number;
  readonly heapMegabytes: number;
  /** `quick`: only the first compiler of the Java machine, which halves the start; `full`: as in production, for measuring. */
  readonly compiler: 'quick' | 'full';
  /** Where the index lies; undefined: in the run folder. */
  readonly dataFolder?: string;
}

export async function makeRunFolder(kind: EngineKind): Promise<string> {
  const folder = await mkdtemp(join(await runsFolder(), `${kind}-`));
  for (const name of ['config', 'data', 'logs', 'tmp']) await mkdir(join(folder, name));
  await writeFile(join(folder, OWNER_FILE), String(process.pid));
  return folder;
}

/** Writes what the next start reads, and gives the folder to the user that the server runs as. */
export async function configure(folder: string, kind: EngineKind, settings: RunSettings): Promise<void> {
  const release = ENGINE_RELEASES[kind];
  const data = settings.dataFolder ?? join(folder, 'data');
  const configuration = [
    'discovery.type: single-node',
    'network.host: 127.0.0.1',
    `http.port: ${settings.httpPort}`,
    `transport.port: ${settings.transportPort}`,
    `path.data: ${JSON.stringify(data)}`,
    `path.logs: ${JSON.stringify(join(folder, 'logs'))}`,
    // A full disk of a developer's machine must not turn the indexes read-only.
    'cluster.routing.allocation.disk.threshold_enabled: false',
    ...release.configuration,
  ];
  await writeFile(join(folder, `config/${kind}.yml`), lines(configuration));
  await writeFile(join(folder, 'config/jvm.options'), lines(javaOptions(folder, kind, settings)));
  await writeFile(join(folder, 'config/log4j2.properties'), lines(LOGGING));
  if (!isRoot) return;
  await mkdir(data, { recursive: true });
  await promisify(execFile)('chown', ['-R', `${UNPRIVILEGED}:${UNPRIVILEGED}`, folder, data]);
}

const LOGGING = [
  'status = error',
  'appender.console.type = Console',
  'appender.console.name = console',
  'appender.console.layout.type = PatternLayout',
  'appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n',
  'rootLogger.level = warn',
  'rootLogger.appenderRef.console.ref = console',
];

function javaOptions(folder: string, kind: EngineKind, { heapMegabytes, compiler }: RunSettings): readonly string[] {
  const quick = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  return [
    `-Djava.io.tmpdir=${join(folder, 'tmp')}`,
    '--add-modules=jdk.incubator.vector',
    `-Xms${heapMegabytes}m`,
    `-Xmx${heapMegabytes}m`,
    '-XX:-AlwaysPreTouch',
    ...ENGINE_RELEASES[kind].javaOptions,
    ...(compiler === 'quick' ? quick : []),
  ];
}

function lines(text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}

/** A port of the loopback address that no one has; `wanted` itself when it is free. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (wanted !== 0 && error.code === 'EADDRINUSE') resolve(freePort());
      else reject(error);
    });
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export async function rememberProcess(folder: string, group: number): Promise<void> {
  await writeFile(join(folder, ENGINE_FILE), String(group));
}

/** Ends engines of this user whose owner is gone, and removes their folders. Resolves to how many were found running. */
export async function stopLeftovers(): Promise<number> {
  const runs = await runsFolder();
  let stopped = 0;
  for (const name of await namesIn(runs)) {
    const folder = join(runs, name);
    const owner = Number(await readIfThere(join(folder, OWNER_FILE)));
    // Without an owner's name it is being made this moment.
    if (!(owner > 0) || isAlive(owner)) continue;
    const group = Number(await readIfThere(join(folder, ENGINE_FILE)));
    if (group > 1 && (await belongsTo(group, folder))) {
      process.kill(-group, 'SIGKILL');
      stopped += 1;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  return stopped;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether this process id still is the engine of that folder: numbers come round again. */
async function belongsTo(pid: number, folder: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-g', String(pid), '-p', String(pid)]);
    return stdout.includes(folder);
  } catch (error) {
    // ps ends with 1 when it finds none.
    if ((error as { code?: unknown }).code === 1) return false;
    throw error;
  }
}
