/** Fetches an engine from Maven Central into the cache, checks it against its known checksum, and unpacks it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { assertMaven, cacheFolder, findJava, isThere, type Java } from '#engines/machine';
import { ENGINE_RELEASES, EngineUnavailable, fileNameOf, type Artifact, type EngineKind } from '#engines/releases';

const run = promisify(execFile);
const FETCH_MS = 10 * 60_000;
const UNPACK_MS = 2 * 60_000;

export interface InstalledEngine {
  readonly kind: EngineKind;
  readonly version: string;
  /** Read-only from now on: what a server writes goes to a run folder. */
  readonly home: string;
  readonly java: Java;
}

/**
 * Makes the engine ready to start; does nothing but look when the cache has it. Several processes may call it at once.
 * Throws EngineUnavailable when the machine lacks Java or Maven or cannot reach Maven Central, and an ordinary Error when
 * what came is not what its checksum says.
 */
export async function installEngine(kind: EngineKind): Promise<InstalledEngine> {
  const release = ENGINE_RELEASES[kind];
  const java = await findJava(release.minimumJava);
  const cache = await cacheFolder();
  const home = join(cache, `${kind}-${release.artifacts.map(({ version }) => version).join('-')}`);
  if (!(await isThere(home))) await install(release.artifacts, { cache, home, java });
  return { kind, version: release.version, home, java };
}

interface Target {
  readonly cache: string;
  readonly home: string;
  readonly java: Java;
}

/** Works beside the home and moves it there at the end, so that a half-made one is never seen. */
async function install(artifacts: readonly Artifact[], target: Target): Promise<void> {
  const work = await mkdtemp(join(target.cache, 'installing-'));
  try {
    await fetchArtifacts(artifacts, work);
    for (const artifact of artifacts) await assertChecksum(join(work, fileNameOf(artifact)), artifact.sha256);
    const unpacked = await unpack(artifacts, work, target.java);
    await chmod(work, 0o755);
    await rename(unpacked, target.home).catch((error: unknown) => keepTheOther(error));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Another process was faster: its home is as good. */
function keepTheOther(error: unknown): void {
  if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

async function fetchArtifacts(artifacts: readonly Artifact[], folder: string): Promise<void> {
  await assertMaven();
  const pom = join(folder, 'pom.xml');
  await writeFile(pom, projectOf(artifacts));
  const goal = ['dependency:copy-dependencies', '-DexcludeTransitive=true', `-DoutputDirectory=${folder}`];
  try {
    await run('mvn', ['-B', '-q', '-f', pom, ...goal], { timeout: FETCH_MS, maxBuffer: 64 * 1024 * 1024 });
  } catch (cause) {
    const said = (cause as { stdout?: string }).stdout?.trim().split('\n').slice(0, 5).join('\n') ?? '';
    throw new EngineUnavailable(`Maven could not fetch ${artifacts.map(fileNameOf).join(', ')}.\n${said}`, { cause });
  }
}

function projectOf(artifacts: readonly Artifact[]): string {
  const dependencies = artifacts.map(
    ({ groupId, artifactId, version }) =>
      `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId>` +
      `<version>${version}</version><type>zip</type></dependency>`,
  );
  return (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' +
    '<groupId>knowledge-base</groupId><artifactId>engines</artifactId><version>1</version><packaging>pom</packaging>' +
    `<dependencies>${dependencies.join('')}</dependencies></project>\n`
  );
}

async function assertChecksum(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual !== expected) throw new Error(`${file} has the sha256 ${actual}, and not ${expected}.`);
}

async function unpack(artifacts: readonly Artifact[], folder: string, java: Java): Promise<string> {
  const jar = (file: string, cwd: string) => run(join(java.home, 'bin/jar'), ['xf', file], { cwd, timeout: UNPACK_MS });
  const base = artifacts.find(({ plugin }) => plugin === undefined)!;
  await jar(join(folder, fileNameOf(base)), folder);
  const home = join(folder, `${base.artifactId}-${base.version}`);
  for (const artifact of artifacts) {
    if (artifact.plugin === undefined) continue;
    const plugin = join(home, 'plugins', artifact.plugin);
    await mkdir(plugin, { recursive: true });
    await jar(join(folder, fileNameOf(artifact)), plugin);
  }
  // jar drops the permissions of what it unpacks.
  await run('chmod', ['-R', 'a+rX', home]);
  for (const name of await readdir(join(home, 'bin'))) await chmod(join(home, 'bin', name), 0o755);
  return home;
}
