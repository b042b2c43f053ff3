import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { pathsBelow } from '../support/files-below.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const run = promisify(execFile);

/** Folders and files below a folder, links and sockets left out, that another user could open or that have another mode than the rule. */
async function openTo(folder: string): Promise<string[]> {
  const wrong = [];
  for (const name of await pathsBelow(folder)) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found === undefined || !(found.isDirectory() || found.isFile())) continue;
    const mode = found.mode & 0o777;
    if (mode !== (found.isDirectory() ? 0o700 : 0o600)) wrong.push(`${mode.toString(8)} ${name}`);
  }
  return wrong;
}

describe('the data folder', () => {
  const service = useService();
  const data = (): string => join(service.process.folder, 'data');

  it('holds folders of 0700 and files of 0600, after work of every kind', async () => {
    const dataset = await service.admin.createDataset('Private');
    for (const name of ['handbook.md', 'report.pdf', 'guide.docx'] as const) {
      await ingest(service.admin, dataset, await readFixture(name));
    }
    const names = await pathsBelow(data());
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => name.startsWith('vectors/')).length).toBeGreaterThan(10);
    // Work folders come and go.
    await until(async () => (await openTo(data())).length === 0);
  });

  it('gives PostgreSQL its folder when it runs as another user', async () => {
    const [home, cluster] = await Promise.all(['', 'cluster'].map((name) => stat(join(data(), 'postgres', name))));
    expect(home!.uid).toBe(cluster!.uid);
    if (process.getuid?.() === 0) expect(cluster!.uid).not.toBe(0);
  });

  it('is closed again at a start when someone opened it, or a former version left it open', async () => {
    await service.process.stop();
    await run(
      'sh',
      [
        '-c',
        `chmod -R go+rX files vectors auth work; chmod 711 postgres; if [ "$(id -u)" = 0 ]; then chown 0:0 postgres; fi`,
      ],
      { cwd: data() },
    );
    await mkdir(join(data(), 'models', 'mine'), { recursive: true });
    await writeFile(join(data(), 'models', 'mine', 'model.onnx'), 'x');
    for (const path of ['models', 'models/mine']) await chmod(join(data(), path), 0o755);
    await chmod(join(data(), 'models/mine/model.onnx'), 0o644);
    expect((await openTo(data())).length).toBeGreaterThan(10);
    await service.process.start();
    await until(async () => (await openTo(data())).length === 0);
    expect(service.process.log.join('\n')).toContain('data_folder.closed_to_others');
    await service.process.restart();
  });

  it('closes nothing that the service did not make, as in a folder of others that was named by mistake', async () => {
    await service.process.stop();
    const others = join(data(), 'of-others');
    await mkdir(others);
    await writeFile(join(others, 'a.conf'), 'x');
    await chmod(others, 0o755);
    await chmod(join(others, 'a.conf'), 0o644);
    await chmod(join(data(), 'auth'), 0o755);
    await service.process.start();
    await until(async () => ((await stat(join(data(), 'auth'))).mode & 0o777) === 0o700);
    await until(() => service.process.log.some((line) => line.includes('data_folder.closed_to_others')));
    // Work folders come and go.
    const own = async (): Promise<string[]> => (await openTo(data())).filter((entry) => !entry.includes('work/'));
    expect((await own()).toSorted()).toEqual(['644 of-others/a.conf', '755 of-others']);
    await rm(others, { recursive: true });
  });
});
