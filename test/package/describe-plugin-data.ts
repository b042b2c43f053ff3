import { spawnSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import type { Page } from '../../scripts/lib/api-records.js';
import { ServiceProcess } from '../support/service-process.js';

const NOTE = Buffer.from('NOTE\nStork\nThe stork nests on the roof.\nTODO mend the roof\n');

/** What becomes of the rows of a package when documents go, and when the installation is backed up and restored. */
export function describePluginData(
  service: ServiceProcess,
  admin: ApiClient,
  packages: Readonly<Record<string, string>>,
): void {
  const newNote = async (dataset: string): Promise<string> => {
    const { id } = await admin.upload(dataset, { name: 'stork.note', content: NOTE });
    await admin.pollUntilTerminal(id);
    return id;
  };

  /** Rows of the step in the database, whether a route shows them or not. */
  async function rowsOf(id: string): Promise<number> {
    const running = await connectToRunningEmbeddedPostgres(join(service.folder, 'data', 'postgres'));
    const client = new Client({ connectionString: running!.ownerUrl });
    await client.connect();
    try {
      const { tenant_id: tenant } = await admin.get<{ tenant_id: string }>('/auth/me');
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenant]);
      const found = await client.query(`SELECT 1 FROM acme_notes_todos WHERE document_id = $1`, [id]);
      return found.rowCount ?? 0;
    } finally {
      await client.end();
    }
  }
  const goes = (id: string): Promise<unknown> =>
    until(async () => (await rowsOf(id)) === 0, { what: 'the end of the rows', withinMs: 30_000 });

  describe('when documents go', () => {
    it('has no row of a step left behind a purge', async () => {
      const dataset = await admin.createDataset('purged');
      const [id, other] = [await newNote(dataset), await newNote(await admin.createDataset('not purged'))];
      expect([await rowsOf(id), await rowsOf(other)]).toEqual([1, 1]);
      await admin.delete(`/documents/${id}`);
      await admin.post(`/datasets/${dataset}/purge`, {});
      await goes(id);
      expect(await rowsOf(other)).toBe(1);
    });

    it('has none left behind the deletion of a dataset', async () => {
      const dataset = await admin.createDataset('deleted');
      const id = await newNote(dataset);
      expect(await rowsOf(id)).toBe(1);
      await admin.delete(`/datasets/${dataset}`);
      await goes(id);
    });
  });

  describe('in a backup', () => {
    const backup = join(service.folder, 'backup');

    function command(
      name: 'backup' | 'restore',
      dataDir: string,
      plugins: string,
    ): { status: number | null; said: string } {
      const file = fileURLToPath(new URL(`../../dist/src/cli/${name}.js`, import.meta.url));
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, backup], {
        cwd: service.folder,
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PLUGINS: plugins },
        encoding: 'utf8',
        timeout: 120_000,
      });
      return { status, said: stdout + stderr };
    }

    async function newFolder(name: string): Promise<string> {
      const folder = join(service.folder, name);
      await mkdir(folder, { mode: 0o711 });
      await chmod(folder, 0o711);
      return folder;
    }

    it('brings back its rows, and starts only with it', async () => {
      const id = await newNote(await admin.createDataset('backed up'));
      const todosOf = async (client: ApiClient): Promise<readonly unknown[]> =>
        (await client.get<Page<unknown>>(`/notes/todos/${id}`)).items;
      const before = await todosOf(admin);
      expect(JSON.stringify(before)).toContain('mend the roof');
      expect(command('backup', join(service.folder, 'data'), 'acme-notes')).toMatchObject({ status: 0 });

      const folder = await newFolder('restored');
      const restored = command('restore', folder, 'acme-notes');
      expect(restored, restored.said).toMatchObject({ status: 0 });
      const settings = { DATA_DIR: folder, AUTH_JWT_KEY: 'k'.repeat(32) };
      await expect(ServiceProcess.start({ settings })).rejects.toThrow(
        /PLUGINS lacks "acme-notes", and there are rows in its tables: acme_notes_/,
      );
      const again = await ServiceProcess.start({ settings: { ...settings, PLUGINS: 'acme-notes' }, packages });
      try {
        const { email, password } = service.admin;
        expect(await todosOf(await new ApiClient(again.url).login(email, password))).toEqual(before);
      } finally {
        await again.dispose();
      }
    });

    it('is not restored without it', async () => {
      const { status, said } = command('restore', await newFolder('restored without'), '');
      expect(said).toContain('Restore with the version, and the plugins, that wrote it.');
      expect(status).toBe(1);
    });
  });
}
