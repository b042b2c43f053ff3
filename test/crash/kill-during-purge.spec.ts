import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DocumentRecord } from '../support/api-client.js';
import { useService } from '../support/service-process.js';

const FORMS = 10;
const FILES_PER_FORM = 20;
const service = useService({ settings: { LEASE_SECONDS: '2' } });

interface Purge {
  readonly purge_id: string;
  readonly status: string;
  readonly documents: number;
}

async function uploadForm(datasetId: string, form: number): Promise<string[]> {
  const body = new FormData();
  body.append('dataset_id', datasetId);
  for (let n = 0; n < FILES_PER_FORM; n += 1) {
    body.append('files', new Blob([`The seal number ${form * FILES_PER_FORM + n} is tight.`]), `${form}-${n}.txt`);
  }
  const { results } = await service.admin.post<{ results: { document: DocumentRecord }[] }>(
    '/documents/batch/upload',
    body,
  );
  return results.map(({ document }) => document.id);
}

async function storedFiles(): Promise<number> {
  const entries = await readdir(join(service.process.folder, 'data', 'files'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).length;
}

it('a purge that is killed again and again comes to its end, and takes everything with it', async () => {
  const id = await service.admin.createDataset('Killed while it was purged');
  const ids: string[] = [];
  for (let form = 0; form < FORMS; form += 1) ids.push(...(await uploadForm(id, form)));
  const kept = ids.slice(0, 3);
  for (const one of kept) await service.admin.pollUntilTerminal(one, { timeoutMs: 90_000 });
  // Some are in the middle of their ingestion when they are deleted.
  await service.admin.post('/documents/batch/delete', { document_ids: ids.slice(3) });
  const purge = await service.admin.post<Purge>(`/datasets/${id}/purge`, {});
  expect(purge.documents).toBe(ids.length - kept.length);
  for (const ms of [30, 150]) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await service.process.kill('SIGKILL');
    await service.process.start();
  }
  const path = `/datasets/${id}/purges/${purge.purge_id}`;
  const done = { status: 'completed' };
  await expect.poll(() => service.admin.get(path), { timeout: 100_000, interval: 500 }).toMatchObject(done);
  await expect.poll(storedFiles, { timeout: 20_000 }).toBe(kept.length);
  const { results } = await service.admin.search('seal tight', [id], { top_k: 50 });
  expect(new Set(results.map(({ document_id: one }) => one))).toEqual(new Set(kept));
  expect(await service.admin.post<Purge>(`/datasets/${id}/purge`, {})).toMatchObject({ documents: 0, blobs: 0 });
});
