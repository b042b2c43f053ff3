import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '#libs/process-lock';
import { connectToRunningEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { findRunningPostmaster } from './postmaster-pid.js';
import { isRoot } from './run-as-user.js';
import { rotateServerLog } from './server-log.js';
import { query } from './testing/query.js';
import { makeWorkplace, type Workplace } from './testing/temporary-data-folder.js';

describe('a started server', () => {
  let place: Workplace;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    place = await makeWorkplace();
    server = await place.start();
  });
  afterAll(() => place.dispose());

  it('makes a UTF-8 cluster on the loopback address with an owner and a service login of least rights', async () => {
    const roles = await query(
      server.superuserUrl,
      `SELECT rolname::text AS name, rolsuper, rolbypassrls, rolcreaterole, rolinherit, rolcreatedb
       FROM pg_roles WHERE rolname LIKE 'kb\\_%' ORDER BY 1`,
    );
    expect(roles).toEqual([
      {
        name: 'kb_owner',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: true,
        rolinherit: true,
        rolcreatedb: false,
      },
      {
        name: 'kb_service',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolinherit: false,
        rolcreatedb: false,
      },
    ]);
    const settings = await query(
      server.superuserUrl,
      `SELECT current_setting('listen_addresses') AS listen, current_setting('unix_socket_directories') AS sockets,
              current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('TimeZone') AS zone,
              current_setting('max_connections') AS connections, pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider,
              datlocale AS locale, pg_get_userbyid(datdba)::text AS owner FROM pg_database WHERE datname = 'kb'`,
    );
    expect(settings).toEqual([
      {
        listen: '127.0.0.1',
        sockets: '',
        fsync: 'on',
        commit: 'on',
        zone: 'UTC',
        connections: '60',
        encoding: 'UTF8',
        provider: 'b',
        locale: 'C.UTF-8',
        owner: 'kb_owner',
      },
    ]);
    expect(await query(server.serviceUrl, 'SELECT current_user::text AS me')).toEqual([{ me: 'kb_service' }]);
  });

  it('lets the owner make tables and roles and refuses a wrong password', async () => {
    await query(
      server.ownerUrl,
      'CREATE TABLE t (a int); CREATE ROLE kb_lookup NOLOGIN; GRANT kb_lookup TO kb_service',
    );
    const granted = `SELECT pg_has_role('kb_service', 'kb_lookup', 'SET') AS may_set`;
    expect(await query(server.serviceUrl, granted)).toEqual([{ may_set: true }]);
    await expect(query(server.ownerUrl.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('keeps the passwords and the cluster from other users and out of the events', async () => {
    expect((await stat(join(server.dataDirectory, 'credentials.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(server.dataDirectory, 'cluster'))).mode & 0o777).toBe(0o700);
    const { password } = new URL(server.ownerUrl);
    expect(password.length).toBeGreaterThan(20);
    expect(JSON.stringify(place.events)).not.toContain(password);
  });

  it('runs the server in a session of its own, so that a Ctrl-C for the service does not reach it', async () => {
    const running = await findRunningPostmaster(join(server.dataDirectory, 'cluster'));
    const status = await readFile(`/proc/${running!.pid}/stat`, 'utf8').catch(() => null);
    if (status === null) return;
    const [, , group, session] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    expect([group, session]).toEqual([String(running!.pid), String(running!.pid)]);
  });

  it('refuses a second one on the same folder with the number of the process that owns it', async () => {
    await expect(place.start()).rejects.toMatchObject({
      code: 'data_in_use',
      message: expect.stringContaining(`in use by process ${process.pid}`) as string,
    });
  });

  it('moves its log aside above a limit while the server goes on writing', async () => {
    const file = join(server.dataDirectory, 'postgres.log');
    expect(await rotateServerLog(server.dataDirectory)).toBe(false);
    expect(await rotateServerLog(server.dataDirectory, 10)).toBe(true);
    expect((await stat(file)).size).toBe(0);
    expect(await readFile(`${file}.1`, 'utf8')).toContain('ready to accept connections');
    await expect(query(server.ownerUrl.replace('kb_owner', 'nobody'), 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
    expect(await readFile(file, 'utf8')).toMatch(/^\d{4}-.*password authentication failed/);
  });
});

let place: Workplace;
beforeAll(async () => {
  place = await makeWorkplace();
});
afterEach(() => place.stopAll());
afterAll(() => place.dispose());

describe('a later start', () => {
  it('finds the data of the earlier one, with the same passwords', async () => {
    const first = await place.start();
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS a');
    await first.stop();
    const second = await place.start();
    expect(second.reused).toBe(false);
    expect(await query(second.ownerUrl, 'SELECT a FROM kept')).toEqual([{ a: 42 }]);
    expect(new URL(second.ownerUrl).password).toBe(new URL(first.ownerUrl).password);
  });

  it('refuses a cluster of another major version and leaves it as it is', async () => {
    const server = await place.start();
    await server.stop();
    const file = join(server.dataDirectory, 'cluster', 'PG_VERSION');
    await writeFile(file, '17\n');
    await expect(place.start()).rejects.toMatchObject({ code: 'version_mismatch' });
    expect(await readFile(file, 'utf8')).toBe('17\n');
    await writeFile(file, '18\n');
  });

  it('refuses credentials that are not those of the cluster and stops what it started', async () => {
    const server = await place.start();
    await server.stop();
    const other = { postgres: 'a', kb_owner: 'b', kb_service: 'c' };
    const file = join(server.dataDirectory, 'credentials.json');
    const right = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify(other));
    await expect(place.start()).rejects.toMatchObject({ code: 'credentials_mismatch' });
    expect(await findRunningPostmaster(join(server.dataDirectory, 'cluster'))).toBeNull();
    await writeFile(file, right);
  });
});

describe('stopping', () => {
  it('ends the server, frees the folder and may be asked twice; the URLs are known only in between', async () => {
    const server = await place.start();
    const running = await findRunningPostmaster(join(server.dataDirectory, 'cluster'));
    const { ownerUrl, serviceUrl, superuserUrl } = server;
    expect(await connectToRunningEmbeddedPostgres(place.dataDirectory)).toEqual({ ownerUrl, serviceUrl, superuserUrl });
    await Promise.all([server.stop(), server.stop()]);
    expect(await isAlive(running!.identity)).toBe(false);
    await expect(stat(join(server.dataDirectory, 'owner.lock'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await connectToRunningEmbeddedPostgres(place.dataDirectory)).toBeNull();
    expect(await connectToRunningEmbeddedPostgres(join(place.folder, 'nowhere'))).toBeNull();
  });
});

describe('a folder that cannot be used', () => {
  it('is named when a file is in the way', async () => {
    const file = join(place.folder, 'file');
    await writeFile(file, '');
    await expect(place.start({ dataDirectory: join(file, 'postgres') })).rejects.toMatchObject({
      code: 'folder_not_usable',
    });
  });

  it.skipIf(isRoot())('is named when this user may not write it', async () => {
    const closed = join(place.folder, 'closed');
    await mkdir(closed, { mode: 0o555 });
    const refused = { code: 'folder_not_usable' };
    await expect(place.start({ dataDirectory: closed })).rejects.toMatchObject(refused);
    await expect(place.start({ dataDirectory: join(closed, 'postgres') })).rejects.toMatchObject(refused);
  });
});
