import { chmod, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clusterOf, settleHome } from './data-location.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { findPrograms, reachablePrograms } from './postgres-programs.js';
import { canTraverse, isRoot } from './run-as-user.js';
import { query } from './testing/query.js';
import { startServiceProcess } from './testing/service-process.js';
import { makeWorkplace, type Workplace } from './testing/temporary-data-folder.js';

const NOBODY = { uid: 65534, gid: 65534, name: 'nobody' };
const here = fileURLToPath(new URL('.', import.meta.url));
const sourcesReachable = isRoot() && (await canTraverse(here, NOBODY));
if (!isRoot()) process.stdout.write('not run: relocation and change of user, because the tests do not run as root\n');
else if (!sourcesReachable)
  process.stdout.write(`not run: a service of user nobody, because that user cannot reach ${here}\n`);

let place: Workplace;
let lastingBase: string;
beforeEach(async () => {
  place = await makeWorkplace();
  lastingBase = join(place.folder, 'lasting');
});
afterEach(() => place.dispose());

/** A data folder below a home that only its owner (root) can enter. */
async function closedHome(): Promise<string> {
  const home = join(place.folder, 'home');
  await mkdir(home, { mode: 0o700 });
  return join(home, 'clone', 'data', 'postgres');
}

const relocations = (): object[] =>
  place.events.filter(({ event }) => event === 'embedded_postgres.relocated').map(({ facts }) => facts);

describe.skipIf(!isRoot())('root with a data folder below a closed home', () => {
  it('puts the data into a lasting folder, says where, and finds them again from a moved clone', async () => {
    const dataDirectory = await closedHome();
    const first = await place.start({ dataDirectory, lastingBase });
    expect(first.dataDirectory).toMatch(new RegExp(`^${lastingBase}/data-[0-9a-f]{12}$`));
    expect((await stat(join(first.dataDirectory, 'cluster'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(first.dataDirectory, 'cluster'))).uid).not.toBe(0);
    expect(relocations()).toMatchObject([{ dataFolder: dataDirectory, data: first.dataDirectory }]);
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS a');
    await first.stop();
    const clone = join(place.folder, 'home', 'clone');
    await rename(clone, `${clone}-moved`);
    const moved = join(`${clone}-moved`, 'data', 'postgres');
    const second = await place.start({ dataDirectory: moved, lastingBase: join(place.folder, 'elsewhere') });
    expect(second.dataDirectory).toBe(first.dataDirectory);
    expect(await query(second.ownerUrl, 'SELECT a FROM kept')).toEqual([{ a: 7 }]);
    await second.stop();
    await rm(second.dataDirectory, { recursive: true });
    await expect(place.start({ dataDirectory: moved, lastingBase })).rejects.toMatchObject({ code: 'cluster_damaged' });
  });

  it('leaves the database of an earlier data folder at the same path alone and begins a new one', async () => {
    const dataDirectory = await closedHome();
    const user = { ...NOBODY, uid: 1 };
    const base = async (): Promise<string> => mkdir(lastingBase, { recursive: true }).then(() => lastingBase);
    await mkdir(dataDirectory, { recursive: true });
    const first = await settleHome(dataDirectory, user, base);
    expect(await settleHome(dataDirectory, user, base)).toBe(first);
    await mkdir(clusterOf(first));
    await rm(dataDirectory, { recursive: true });
    await mkdir(dataDirectory, { recursive: true });
    expect(await settleHome(dataDirectory, user, base)).toBe(`${first}-2`);
    expect(await readdir(first)).toEqual(['cluster']);
  });

  it('refuses when no lasting folder can be made, and says what to set', async () => {
    const dataDirectory = await closedHome();
    await writeFile(lastingBase, '');
    await expect(place.start({ dataDirectory, lastingBase: join(lastingBase, 'below-a-file') })).rejects.toMatchObject({
      code: 'no_lasting_folder',
      message: expect.stringMatching(/DATA_DIR.*DATABASE_URL/) as string,
    });
  });

  it('refuses to begin an empty database beside one that the server can no longer reach', async () => {
    await mkdir(join(place.dataDirectory, 'cluster'), { recursive: true });
    await chmod(place.folder, 0o700);
    await expect(place.start({ lastingBase })).rejects.toMatchObject({ code: 'data_unreachable' });
  });
});

describe.skipIf(!isRoot())('programs that the user of the server cannot reach', () => {
  it('are copied once, to where that user reaches them', async () => {
    const installed = await findPrograms();
    const closed = join(place.folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await copyFile(installed.postgres, join(closed, 'postgres'));
    const base = async (): Promise<string> => place.folder;
    const events: string[] = [];
    const log = (event: string): void => void events.push(event);
    const hidden = { ...installed, postgres: join(closed, 'postgres') };
    const copy = await reachablePrograms(hidden, NOBODY, base, log);
    const again = await reachablePrograms(hidden, NOBODY, base, log);
    expect(copy.folder).toBe(join(place.folder, installed.copyName));
    expect(again.folder).toBe(copy.folder);
    expect(events).toEqual(['embedded_postgres.programs_copied']);
    expect((await readdir(place.folder)).filter((name) => name.startsWith('postgres-'))).toHaveLength(1);
    expect(await reachablePrograms(copy, NOBODY, base, log)).toEqual(copy);
  });
});

describe.skipIf(!sourcesReachable)('a service of an ordinary user', () => {
  it('runs the server as itself; root may follow and runs it as that user, and then that user again', async () => {
    await chmod(place.folder, 0o777);
    const options = { dataDirectory: place.dataDirectory, initdbNoSync: true };
    for (const uid of [NOBODY.uid, 0, NOBODY.uid]) {
      const service = startServiceProcess(options, uid);
      const line = await service.line((one) => one.url !== undefined || one.code !== undefined);
      expect(line).toMatchObject({ home: place.dataDirectory });
      await service.end('SIGTERM');
    }
    for (const name of ['cluster', 'postgres.log']) {
      expect((await stat(join(place.dataDirectory, name))).uid).toBe(NOBODY.uid);
    }
  });

  it('is told when the folder belongs to another user', async () => {
    await mkdir(place.dataDirectory);
    const service = startServiceProcess({ dataDirectory: place.dataDirectory }, NOBODY.uid);
    const refusal = await service.line((one) => one.url !== undefined || one.code !== undefined);
    expect(refusal).toMatchObject({ code: 'folder_not_usable' });
  });
});

describe('a relative data folder', () => {
  it('is a programming error', async () => {
    await expect(startEmbeddedPostgres({ dataDirectory: 'data', log: () => undefined })).rejects.toThrow(TypeError);
  });
});
