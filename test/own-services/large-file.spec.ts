import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryOf } from '../../scripts/lib/process-memory.js';
import { useService } from '../support/service-process.js';

const MIB = 1024 * 1024;
const FILE_BYTES = 300 * MIB;
const MOST_ADDED_BYTES = 150 * MIB;

const service = useService();
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-large-'));
  path = join(folder, 'large.txt');
  const file = await open(path, 'w');
  const paragraph = (n: number): string =>
    `Paragraph ${n}. ${'The quick brown fox jumps over the lazy dog. '.repeat(40)}\n\n`;
  for (let n = 0, written = 0; written < FILE_BYTES; n += 1) {
    const block = Array.from({ length: 500 }, (_, index) => paragraph(n * 500 + index)).join('');
    written += (await file.write(block)).bytesWritten;
  }
  await file.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('300 MB of text add little memory and end in a terminal state, with the dataset named after the file', async () => {
  const { admin, process } = service;
  const datasetId = await admin.createDataset('Large');
  const memory = async (): Promise<number> => (await memoryOf([process.pid])).processes[0]!.resident;
  const before = await memory();
  let most = before;
  const watching = setInterval(() => void memory().then((now) => (most = Math.max(most, now))), 100);
  try {
    const form = new FormData();
    form.set('file', await openAsBlob(path, { type: 'text/plain' }), 'large.txt');
    form.set('dataset_id', datasetId);
    const { id } = await admin.post<{ id: string }>('/documents/upload', form);
    const ended = await admin.pollUntilTerminal(id, { timeoutMs: 100_000 });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'TEXT_TOO_LONG', stage: 'parsing' } });
    expect(ended.error_message).toContain('split it into several files');
  } finally {
    clearInterval(watching);
  }
  expect(Math.round((most - before) / MIB)).toBeLessThan(MOST_ADDED_BYTES / MIB);
});
