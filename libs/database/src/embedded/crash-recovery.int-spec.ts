import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '#testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '#libs/process-lock';
import { findRunningPostmaster } from './postmaster-pid.js';
import { query } from './testing/query.js';
import { startServiceProcess, type ServiceProcess } from './testing/service-process.js';
import { makeWorkplace, type Workplace } from './testing/temporary-data-folder.js';

let place: Workplace;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  place = await makeWorkplace();
});
afterEach(async () => {
  await service?.end('SIGKILL');
  service = undefined;
  await place.stopAll();
});
afterAll(() => place.dispose());

/** Runs a service in a process of its own and kills it; its server is left over. */
async function leaveServerBehind(): Promise<{ url: string; cluster: string }> {
  service = startServiceProcess({ dataDirectory: place.dataDirectory, initdbNoSync: true });
  const { url, message } = await service.line((line) => line.url !== undefined || line.code !== undefined);
  if (url === undefined) throw new Error(message);
  await service.end('SIGKILL');
  return { url, cluster: join(place.dataDirectory, 'cluster') };
}

async function answers(url: string): Promise<boolean> {
  return query(url, 'SELECT 1 AS a').then(
    () => true,
    () => false,
  );
}

/** The name of a cluster that initdb is still at. */
async function draftOfCluster(): Promise<string | undefined> {
  return (await readdir(place.dataDirectory).catch(() => [] as string[])).find((name) => /draft-[^.]*$/.test(name));
}

const eventNames = (): string[] => place.events.map(({ event }) => event);

describe('a first start that was killed', () => {
  // The first test of this file: the folder is still empty.
  it('inside initdb is begun again', async () => {
    // On a machine without a free core initdb may end before the kill: the folder is emptied, and the next one is killed.
    do {
      await rm(place.dataDirectory, { recursive: true, force: true });
      service = startServiceProcess({ dataDirectory: place.dataDirectory });
      await until(draftOfCluster, { everyMs: 5 });
      await service.end('SIGKILL');
    } while ((await readdir(place.dataDirectory)).includes('cluster'));
    const server = await place.start();
    expect(eventNames()).toContain('embedded_postgres.incomplete_cluster_removed');
    expect(await query(server.serviceUrl, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
    expect((await readdir(place.dataDirectory)).filter((name) => name.includes('draft'))).toEqual([]);
  });

  it('between its roles and its database is completed', async () => {
    const first = await place.start();
    await query(first.superuserUrl, 'DROP DATABASE kb');
    await query(first.superuserUrl, 'DROP ROLE kb_service');
    await first.stop();
    const server = await place.start();
    expect(await query(server.serviceUrl, 'SELECT current_database() AS name')).toEqual([{ name: 'kb' }]);
  });

  it('never costs a finished cluster its files, even beside the rests of a draft', async () => {
    const first = await place.start();
    await query(first.superuserUrl, 'CREATE TABLE kept AS SELECT 7 AS a');
    await first.stop();
    const draft = join(place.dataDirectory, 'cluster.draft-old');
    await mkdir(draft);
    const version = await readFile(join(place.dataDirectory, 'cluster', 'PG_VERSION'), 'utf8');
    await writeFile(join(draft, 'PG_VERSION'), version);
    const server = await place.start();
    expect(await query(server.superuserUrl, 'SELECT a FROM kept')).toEqual([{ a: 7 }]);
  });
});

describe('after the service was killed', () => {
  it('adopts the left-over server, takes the lock over, and stops that server in the end', async () => {
    const { url, cluster } = await leaveServerBehind();
    const before = await findRunningPostmaster(cluster);
    const server = await place.start();
    expect(server.reused).toBe(true);
    expect(server.superuserUrl).toBe(url);
    expect(eventNames()).toContain('embedded_postgres.lock_taken_over');
    expect((await findRunningPostmaster(cluster))?.pid).toBe(before?.pid);
    await server.stop();
    expect(await isAlive(before!.identity)).toBe(false);
  });

  it('replaces a left-over server that does not answer', async () => {
    const { cluster } = await leaveServerBehind();
    const silent = await findRunningPostmaster(cluster);
    process.kill(silent!.pid, 'SIGSTOP');
    const server = await place.start({ adoptDeadlineMs: 300 });
    expect(server.reused).toBe(false);
    expect(await isAlive(silent!.identity)).toBe(false);
    expect(await query(server.serviceUrl, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });

  it('replaces a left-over server of other settings and keeps its data', async () => {
    const { url, cluster } = await leaveServerBehind();
    await query(url, 'CREATE TABLE kept_by_settings AS SELECT 7 AS a');
    const former = await findRunningPostmaster(cluster);
    const server = await place.start({ maxConnections: 20 });
    expect(server.reused).toBe(false);
    expect(await isAlive(former!.identity)).toBe(false);
    expect(await query(server.superuserUrl, 'SELECT a FROM kept_by_settings')).toEqual([{ a: 7 }]);
  });

  it('starts with all committed rows when the server was killed with it', async () => {
    const { url, cluster } = await leaveServerBehind();
    await query(url, 'CREATE TABLE kept_by_crash AS SELECT 7 AS a');
    process.kill((await findRunningPostmaster(cluster))!.pid, 'SIGKILL');
    const server = await place.start();
    expect(server.reused).toBe(false);
    expect(await query(server.superuserUrl, 'SELECT a FROM kept_by_crash')).toEqual([{ a: 7 }]);
  });

  it('starts a server that was killed again, on the same port and with all committed rows, and stops the new one', async () => {
    const server = await place.start();
    const cluster = join(place.dataDirectory, 'cluster');
    for (const round of [1, 2]) {
      await query(server.superuserUrl, `CREATE TABLE kept_by_keeper_${round} AS SELECT ${round} AS a`);
      const killed = await findRunningPostmaster(cluster);
      process.kill(killed!.pid, 'SIGKILL');
      await expect.poll(() => answers(server.superuserUrl), { timeout: 20_000 }).toBe(true);
      expect((await findRunningPostmaster(cluster))?.pid).not.toBe(killed!.pid);
      expect(await query(server.superuserUrl, `SELECT a FROM kept_by_keeper_${round}`)).toEqual([{ a: round }]);
    }
    const last = await findRunningPostmaster(cluster);
    await server.stop();
    expect(await isAlive(last!.identity)).toBe(false);
  });

  it('stops cleanly on the wish of a service process, which frees the folder', async () => {
    service = startServiceProcess({ dataDirectory: place.dataDirectory, initdbNoSync: true });
    await service.line((line) => line.url !== undefined);
    await service.end('SIGTERM');
    expect(await readdir(place.dataDirectory)).not.toContain('owner.lock');
    expect((await place.start()).reused).toBe(false);
  });

  it('refuses a second process while the first lives', async () => {
    await place.start();
    service = startServiceProcess({ dataDirectory: place.dataDirectory });
    const refusal = await service.line((line) => line.code !== undefined || line.url !== undefined);
    expect(refusal).toMatchObject({ code: 'data_in_use' });
    expect(refusal.message).toContain(`process ${process.pid}`);
  });
});

describe('a stale postmaster.pid', () => {
  async function startWithPidFile(pid: number): Promise<void> {
    const first = await place.start();
    await first.stop();
    const lines = [pid, join(first.dataDirectory, 'cluster'), 1, first.port, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(first.dataDirectory, 'cluster', 'postmaster.pid'), `${lines.join('\n')}\n`);
    const server = await place.start();
    expect(server.reused).toBe(false);
    expect(eventNames()).toContain('embedded_postgres.stale_pid_file_removed');
    expect(await query(server.serviceUrl, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
  }

  it('of a dead process does not hinder the start', async () => {
    const dead = spawn('true');
    await once(dead, 'exit');
    await startWithPidFile(dead.pid!);
  });

  it('of a living foreign process neither hinders the start nor harms that process', async () => {
    const foreign = spawn('sleep', ['60']);
    await startWithPidFile(foreign.pid!);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
    foreign.kill('SIGKILL');
  });

  it('without content does not hinder the start', async () => {
    const first = await place.start();
    await first.stop();
    await writeFile(join(first.dataDirectory, 'cluster', 'postmaster.pid'), '');
    expect((await place.start()).reused).toBe(false);
  });
});
