import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson, newId } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import { AuditLog, inspectDatabase, listMigrations, rowsOf, UnitOfWork } from '#libs/database';
import { createObjectStorage, objectKey, type ObjectKey, type ObjectStorage } from '#libs/object-storage';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { loadServiceSettings } from '../../app/adapters.js';
import { refuseUnfinishedRestore } from '../../app/unfinished-restore.js';
import { readManifest, type SealedManifest } from './backup-manifest.js';
import { makeBackup } from './make-backup.js';
import { restoreBackup } from './restore-backup.js';

/** Restoring adds a promise to fill the vector store. */
const ADDED_BY_RESTORE = ['tasks'];

describe('backup and restore', () => {
  let root: string;
  let source: TestDatabase;
  let target: TestDatabase;
  let sourceSettings: SettingsValues;
  let targetSettings: SettingsValues;
  let storage: ObjectStorage;
  let members: TestMember[];
  let backups = 0;

  const settingsFor = (url: string, dataDir: string): SettingsValues =>
    loadServiceSettings({ DATABASE_URL: url, AUTH_JWT_KEY: 'k'.repeat(32), DATA_DIR: dataDir });
  const say = (): void => undefined;
  const backup = (folder: string, withKeys = false): Promise<SealedManifest> =>
    makeBackup({ settings: sourceSettings, databaseUrl: source.url, folder, withKeys, say });
  const newFolder = (): string => join(root, `backup-${(backups += 1)}`);
  const restore = (folder: string, settings = targetSettings): Promise<SealedManifest> =>
    restoreBackup({ settings, folder, say });
  const inTarget = <Row>(member: TestMember, sql: string): Promise<Row[]> =>
    target.unitOfWork.run(member.ctx, (manager) => rowsOf<Row>(manager, sql));

  /** A dataset, a document with a stored file, an event and three entries of the audit log. */
  const fill = async (member: TestMember, text: string): Promise<void> => {
    const [dataset, document, revision] = [newId(), newId(), newId()];
    const key = objectKey(member.tenantId, document as never, revision as never);
    const { sha256, sizeBytes } = await storage.put(key, Buffer.from(text), { maxBytes: 100_000 });
    await source.unitOfWork.run(member.ctx, async (manager) => {
      await manager.query(
        `INSERT INTO datasets (id, tenant_id, name, name_key, description, acl, owner_id, embedding_space, embedding, metadata)
         VALUES ($1, $2, 'Pumps', 'pumps', $3, 'only_me', $4, 'space', '{}', $5)`,
        [
          dataset,
          member.tenantId,
          'tab\there, \\N and "quotes"\nnew line',
          member.accountId,
          { one: [1.5, null, 'ü'] },
        ],
      );
      await manager.query(
        `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
           revision_id, created_by, tags, progress) VALUES ($1, $2, $3, 'a.txt', 'text/plain', $4, $5, 'completed', 'completed', 1, $6, $7, $8, 0.1)`,
        [document, member.tenantId, dataset, sizeBytes, sha256, revision, member.accountId, ['a,b', '{c}']],
      );
      await manager.query(
        `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256) VALUES ($1, $2, $3, 1, $4, $5, $6)`,
        [revision, member.tenantId, document, key, sizeBytes, sha256],
      );
      await manager.query(`INSERT INTO document_events (tenant_id, document_id, event) VALUES ($1, $2, 'created')`, [
        member.tenantId,
        document,
      ]);
      for (const name of ['second', 'first']) {
        await manager.query(
          `INSERT INTO categories (id, tenant_id, parent_id, name, name_key) SELECT $1, $2, (SELECT id FROM categories LIMIT 1), $3, $3`,
          [newId(), member.tenantId, name],
        );
      }
    });
    const audit = new AuditLog(source.unitOfWork);
    for (const event of ['a.one', 'a.two', 'a.three']) await audit.append(member.ctx, { event, details: { text } });
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'backup-'));
    source = await createTestDatabase();
    sourceSettings = settingsFor(source.url, join(root, 'source'));
    await mkdir(join(root, 'source', 'auth'), { recursive: true });
    await writeFile(join(root, 'source', 'auth', 'jwt-key.pem'), 'a key', { mode: 0o600 });
    storage = await createObjectStorage({ kind: 'filesystem', directory: join(root, 'source', 'files') });
    members = [];
    // The second is stored packed.
    for (const text of ['The pump is serviced.', 'The valve opens.\n'.repeat(1_000), 'The lamp is on.']) {
      const member = await createTestMember(source.unitOfWork);
      await fill(member, text);
      members.push(member);
    }
    await source.unitOfWork.runAsSystem((manager) =>
      manager.query(`SELECT nextval('fencing_tokens') FROM generate_series(1, 41)`),
    );
  });
  beforeEach(async () => {
    target = await createTestDatabase();
    // A restore refuses a database that a service is connected to, as the pool of the fixture seems to be.
    await target.database.source.destroy();
    targetSettings = settingsFor(target.url, join(root, `target-${newId()}`));
  });
  afterEach(async () => {
    if (!target.database.source.isInitialized) await target.database.source.initialize();
    await target.close();
  });
  afterAll(async () => {
    await source.close();
    await rm(root, { recursive: true, force: true });
  });

  it('brings back every row of every tenant and every file', async () => {
    const manifest = await backup(newFolder());
    await restore(join(root, `backup-${backups}`));
    const again = await makeBackup({
      settings: targetSettings,
      databaseUrl: target.url,
      folder: newFolder(),
      withKeys: false,
      say,
    });
    const hashes = ({ tables }: SealedManifest): unknown[] =>
      tables
        .filter(({ name }) => !ADDED_BY_RESTORE.includes(name))
        .map(({ name, rows, sha256 }) => [name, rows, sha256]);
    expect(hashes(again)).toEqual(hashes(manifest));
    expect(again.files).toEqual(manifest.files);
    expect(manifest.files).toMatchObject({ count: 3, bytes: 21 + 17_000 + 15, missing: [], damaged: [] });
    const rows = Object.fromEntries(manifest.tables.map((table) => [table.name, table.rows]));
    expect(rows).toMatchObject({ tenants: 3, documents: 3, document_events: 3, audit_log: 9, categories: 6 });
  });

  it('lets numbers go on where they were, keeps the audit log append-only and has the vector store filled', async () => {
    await backup(newFolder());
    await restore(join(root, `backup-${backups}`));
    await target.database.source.initialize();
    const [member] = members;
    const [event] = await inTarget<{ id: string; seq: string }>(
      member!,
      `INSERT INTO document_events (tenant_id, document_id, event) SELECT tenant_id, id, 'again' FROM documents RETURNING seq`,
    );
    expect(Number(event!.seq)).toBe(4);
    const [token] = await target.unitOfWork.runAsSystem((manager) =>
      rowsOf<{ token: string }>(manager, `SELECT nextval('fencing_tokens') AS token`),
    );
    expect(token!.token).toBe('42');
    await expect(inTarget(member!, `DELETE FROM audit_log`)).rejects.toMatchObject({ code: '42501' });
    await new AuditLog(new UnitOfWork(target.database)).append(member!.ctx, { event: 'a.four' });
    const chain = await inTarget<{ seq: string; hash: string; previous_hash: string }>(
      member!,
      `SELECT seq, hash, previous_hash FROM audit_log ORDER BY seq`,
    );
    expect(chain.map(({ seq }) => seq)).toEqual(['1', '2', '3', '4']);
    expect(chain.slice(1).map((row) => row.previous_hash)).toEqual(chain.slice(0, -1).map((row) => row.hash));
    const promised = await target.unitOfWork.runAsSystem((manager) =>
      rowsOf<{ kind: string }>(manager, `SELECT kind FROM tasks WHERE status = 'open'`),
    );
    expect(promised).toEqual([{ kind: 'reindex' }]);
  });

  it('promises one reindex when what it restores has one that was not done', async () => {
    const promised = (): Promise<unknown[]> =>
      target.unitOfWork.runAsSystem((manager) =>
        rowsOf(manager, `SELECT payload ->> 'restored_from' AS "from" FROM tasks WHERE kind = 'reindex'`),
      );
    await backup(newFolder());
    await restore(join(root, `backup-${backups}`));
    const settings = { settings: targetSettings, databaseUrl: target.url, withKeys: false, say };
    const again = await makeBackup({ ...settings, folder: newFolder() });
    await target.close();
    target = await createTestDatabase();
    await target.database.source.destroy();
    const elsewhere = settingsFor(target.url, join(root, `target-${newId()}`));
    await restore(join(root, `backup-${backups}`), elsewhere);
    await target.database.source.initialize();
    expect(await promised()).toEqual([{ from: again.sha256 }]);
  });

  it('finds tables that it has never heard of', async () => {
    await source.unitOfWork.runAsSystem((manager) =>
      manager.query(`RESET ROLE; CREATE TABLE news (id text PRIMARY KEY, body text);
      GRANT SELECT ON news TO kb_system; INSERT INTO news VALUES ('b', 'x'), ('B', 'y'), ('a', 'z')`),
    );
    try {
      const { tables } = await backup(newFolder());
      expect(tables.find(({ name }) => name === 'news')).toMatchObject({ rows: 3, columns: ['id', 'body'] });
      const text = await readFile(join(root, `backup-${backups}`, 'tables', 'news.copy'), 'utf8');
      expect(text).toBe('B\ty\na\tz\nb\tx\n');
    } finally {
      await source.unitOfWork.runAsSystem((manager) => manager.query(`RESET ROLE; DROP TABLE news`));
    }
  });

  it('is for its owner alone, and holds keys only when they are asked for', async () => {
    const folder = newFolder();
    const manifest = await backup(folder);
    const modes = new Set<string>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      modes.add(`${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`);
    }
    expect([...modes].toSorted()).toEqual(['file 600', 'folder 700']);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(manifest.keys).toMatchObject({ included: false, files: [] });
    expect(manifest.keys.note).toMatch(/^Keys are not in this backup/);
    const second = await backup(newFolder(), true);
    expect(second.keys).toMatchObject({ included: true, files: [{ name: 'jwt-key.pem' }] });
    await restore(join(root, `backup-${backups}`));
    const key = join(targetSettings.dataDir, 'auth', 'jwt-key.pem');
    expect([await readFile(key, 'utf8'), (await stat(key)).mode & 0o777]).toEqual(['a key', 0o600]);
  });

  it('leaves the service its reserve, and says with figures what is missing before it begins', async () => {
    const folder = newFolder();
    const settings = { ...sourceSettings, storageReserveBytes: 1e15 };
    const lines: string[] = [];
    const made = makeBackup({
      settings,
      databaseUrl: source.url,
      folder,
      withKeys: false,
      say: (line) => lines.push(line),
    });
    await expect(made).rejects.toThrow(
      /has \d+ bytes free, and 1000000000000000 are kept .* takes up to \d{6,} bytes\./,
    );
    expect(lines).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('names files that the storage lacks or has otherwise, and goes on', async () => {
    const others = [await createTestMember(source.unitOfWork), await createTestMember(source.unitOfWork)];
    const keys: ObjectKey[] = [];
    for (const other of others) {
      await fill(other, 'This one does not stay.');
      const rows = await source.unitOfWork.run(other.ctx, (manager) =>
        rowsOf<{ key: ObjectKey }>(manager, `SELECT blob_key AS key FROM document_revisions`),
      );
      keys.push(rows[0]!.key);
    }
    await storage.delete(keys[0]!);
    const { sha256 } = await storage.put(keys[1]!, Buffer.from('Changed.'), { maxBytes: 1_000 });
    const { files } = await backup(newFolder());
    expect(files).toMatchObject({ missing: [keys[0]], damaged: [{ key: keys[1], sha256 }] });
    expect((await restore(join(root, `backup-${backups}`))).files).toEqual(files);
  });

  it('refuses a second backup at the same time, a folder that is not empty and one inside the data folder', async () => {
    const both = await Promise.allSettled([backup(newFolder()), backup(newFolder())]);
    const refused = both.filter((one) => one.status === 'rejected').map((one) => String(one.reason));
    expect(refused).toEqual(['DatabaseSetupError: Another backup of this database is under way. Wait for its end.']);
    const folder = newFolder();
    await mkdir(folder);
    await writeFile(join(folder, 'note.txt'), 'mine');
    await expect(backup(folder)).rejects.toThrow(/is not empty/);
    expect(await readdir(folder)).toEqual(['note.txt']);
    await expect(backup(join(sourceSettings.dataDir, 'backup'))).rejects.toThrow(/lies in the data folder/);
    expect(await readdir(sourceSettings.dataDir)).not.toContain('backup');
  });

  describe('a restore', () => {
    let folder: string;
    beforeEach(async () => {
      folder = newFolder();
      await backup(folder);
    });
    const expectUntouched = async (): Promise<void> => {
      await expect(stat(targetSettings.dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await inspectDatabase({ ownerUrl: target.url, serviceUrl: target.url })).toMatchObject({ state: 'empty' });
    };
    /** As someone would who changes the checksums too. */
    const reseal = async (change: (manifest: SealedManifest) => object): Promise<void> => {
      const { sha256: _, ...changed } = change(await readManifest(folder)) as SealedManifest;
      const sha256 = createHash('sha256').update(canonicalJson(changed)).digest('hex');
      await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...changed, sha256 }));
    };

    it.each([
      ['a table', 'tables/accounts.copy', /tables\/accounts\.copy of the backup does not fit its checksum/],
      ['the list of files', 'files.jsonl', /files\.jsonl of the backup does not fit/],
      ['the manifest', 'manifest.json', /is no manifest of a backup/],
    ])('writes nothing when %s has been changed', async (_, name, message) => {
      await appendFile(join(folder, name), 'x\n');
      await expect(restore(folder)).rejects.toThrow(message);
      await expectUntouched();
    });

    it('writes nothing when a file has been changed, a number in the manifest, or the manifest is gone', async () => {
      const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as SealedManifest;
      const [file] = (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      const path = join(file!.parentPath, file!.name);
      const content = await readFile(path);
      await writeFile(path, 'something else');
      await expect(restore(folder)).rejects.toThrow(/^files\/.* does not fit its checksum/);
      await writeFile(path, content);
      await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, version: '0.0.1' }));
      await expect(restore(folder)).rejects.toThrow(/does not fit its own checksum/);
      await rm(join(folder, 'manifest.json'));
      await expect(restore(folder)).rejects.toThrow(/holds no manifest\.json/);
      await expect(restore(join(root, 'nowhere'))).rejects.toThrow(/holds no manifest\.json/);
      await expectUntouched();
    });

    it('refuses what a newer version has made', async () => {
      await reseal((manifest) => ({ ...manifest, version: '99.0.0' }));
      await expect(restore(folder)).rejects.toThrow(/made by version 99\.0\.0; this is version/);
      await reseal((manifest) => ({ ...manifest, version: '0.0.1', migrations: [...listMigrations(), 'Later9999'] }));
      await expect(restore(folder)).rejects.toThrow(/migrations that this one lacks \(Later9999\)/);
      await expectUntouched();
    });

    it('refuses a database or data folder that holds something, and one that a service is connected to', async () => {
      // Connections that rest for long are closed.
      await source.unitOfWork.runAsSystem((manager) => manager.query('SELECT 1'));
      await expect(restore(folder, settingsFor(source.url, targetSettings.dataDir))).rejects.toThrow(
        /A service is connected/,
      );
      await mkdir(targetSettings.dataDir);
      await writeFile(join(targetSettings.dataDir, 'note.txt'), 'mine');
      await expect(restore(folder)).rejects.toThrow(/is not empty \(note\.txt\)/);
      await rm(targetSettings.dataDir, { recursive: true });
      await expectUntouched();
      await restore(folder);
      const other = settingsFor(target.url, `${targetSettings.dataDir}-other`);
      await expect(restore(folder, other)).rejects.toThrow(/holds tenants or accounts already/);
    });

    it('that failed half-way leaves no row and a mark with which no service starts, and can be repeated', async () => {
      const good = newFolder();
      await backup(good);
      const table = join(folder, 'tables', 'tenants.copy');
      const broken = `${await readFile(table, 'utf8')}not a row\n`;
      await writeFile(table, broken);
      const sha256 = createHash('sha256').update(broken).digest('hex');
      await reseal((manifest) => ({
        ...manifest,
        tables: manifest.tables.map((entry) =>
          entry.name === 'tenants'
            ? { ...entry, sha256, parts: [{ ...entry.parts[0]!, bytes: Buffer.byteLength(broken) }] }
            : entry,
        ),
      }));
      await expect(restore(folder)).rejects.toMatchObject({ severity: 'ERROR' });
      await expect(refuseUnfinishedRestore(targetSettings.dataDir)).rejects.toThrow(/has not come to its end/);
      expect(await inspectDatabase({ ownerUrl: target.url, serviceUrl: target.url })).toMatchObject({ state: 'empty' });
      await restore(good);
      await refuseUnfinishedRestore(targetSettings.dataDir);
      await target.database.source.initialize();
      expect(await inTarget(members[0]!, `SELECT name FROM documents`)).toEqual([{ name: 'a.txt' }]);
    });

    it('that was cut off after its rows were kept is finished by the next one', async () => {
      await restore(folder);
      const mark = { backup: (await readManifest(folder)).sha256, folder };
      await writeFile(join(targetSettings.dataDir, 'restore-unfinished.json'), JSON.stringify(mark));
      await restore(folder);
      await expect(refuseUnfinishedRestore(targetSettings.dataDir)).resolves.toBeUndefined();
    });
  });
});
