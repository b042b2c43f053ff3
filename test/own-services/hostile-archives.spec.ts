import { beforeAll, describe, expect, it } from 'vitest';
import { memoryOf } from '../../scripts/lib/process-memory.js';
import { ingestArchive, partsOf, zipOf, type ArchiveRecord } from '../support/archive-files.js';
import { uploadForm } from '../support/api-client.js';
import { HOSTILE_ARCHIVES } from '../support/hostile-archives.js';
import { useService } from '../support/service-process.js';

const MIB = 1024 * 1024;
/** Above that of a service that has ingested a harmless archive; none of these is unpacked in memory. */
const MOST_MORE = 400 * MIB;

const service = useService({ settings: { RATE_LIMITS: 'off' } });
let dataset: string;
let before: number;
const memory = async (): Promise<number> => (await memoryOf([service.process.pid])).proportional;
beforeAll(async () => {
  dataset = await service.admin.createDataset('Hostile');
  await ingestArchive(service.admin, dataset, zipOf({ 'a.txt': 'A harmless text.' }), {}, 'harmless.zip');
  before = await memory();
});

describe('an archive with', () => {
  it.each(HOSTILE_ARCHIVES)('$what ends as $status', async ({ make, status, code, warning, paths, what }) => {
    const form = uploadForm({ name: `${what}.zip`, content: make() }, { dataset_id: dataset });
    const { status: answer, body } = await service.admin.send<ArchiveRecord>('POST', '/documents/upload', form);
    expect([answer, body]).toEqual([201, expect.anything()]);
    const archive = (await service.admin.pollUntilTerminal(body.id)) as ArchiveRecord;
    expect((await memory()) - before).toBeLessThan(MOST_MORE);
    const shown = JSON.stringify({ error: archive.error, warnings: archive.warnings });
    expect([archive.status, archive.error?.code], shown).toEqual([status, code]);
    if (code !== undefined) expect(archive.error_message).toMatch(/\w/);
    if (warning !== undefined) expect(shown).toMatch(warning);
    const parts = await partsOf(service.admin, body.id);
    if (status === 'failed') expect([...parts.keys()]).toEqual([]);
    if (paths !== undefined) expect([...parts.keys()].toSorted()).toEqual(paths);
    for (const { path, status: state } of parts.values()) {
      expect(path).not.toMatch(/(^|\/)\.\.(\/|$)|^\/|\\|^[a-z]:/i);
      expect(['completed', 'failed']).toContain(state);
    }
  });
});

it('the process is the one that was started, and ingests as before', async () => {
  const { status } = await ingestArchive(service.admin, dataset, zipOf({ 'z.txt': 'Still here.' }), {}, 'last.zip');
  expect([status, service.process.isRunning]).toEqual(['completed', true]);
  expect(service.process.log.filter((line) => line.includes('service.started'))).toHaveLength(1);
  expect(service.process.log.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
});
