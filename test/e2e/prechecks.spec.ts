import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { useService } from '../support/service-process.js';

const MARK = 'zanzibar-quokka-7731';
const CUTS = 20;
const PATIENCE = { withinMs: 60_000, everyMs: 100 };
const service = useService();

interface Run {
  readonly scan_run_id: string;
  readonly status: string;
  readonly files: readonly {
    readonly sha256: string;
    readonly verdict: string;
    readonly prediction: { readonly chunks: number } | null;
  }[];
}

function samples(count: number, lines: number): FormData {
  const form = new FormData();
  for (let n = 0; n < count; n += 1) {
    const text = Array.from({ length: lines }, (_, line) => `Line ${line} of ${MARK} ${n}.`).join('\n');
    form.append('files', new Blob([text]), `sample-${n}.txt`);
  }
  return form;
}

/** Files below the data folder that hold a word of a sample, in either encoding. */
async function leftOver(): Promise<string[]> {
  const folder = join(service.process.folder, 'data');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\/(root|postgres)\//.test(path)) continue;
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(MARK) || bytes.includes(Buffer.from(MARK, 'utf16le'))) found.push(path);
  }
  return found;
}

async function token(): Promise<string> {
  const { email, password } = service.process.admin;
  const answer = await service.admin.post<{ access_token: string }>('/auth/login', { email, password });
  return answer.access_token;
}

/** Ids of all events, from a stream that is cut after every second event until it was cut often enough. */
async function follow(path: string): Promise<{ ids: number[]; cuts: number }> {
  const headers = { Authorization: `Bearer ${await token()}` };
  const ids: number[] = [];
  let cuts = 0;
  for (let isEnded = false; !isEnded;) {
    const cut = new AbortController();
    const resume = ids.length === 0 ? {} : { 'Last-Event-ID': String(ids.at(-1)) };
    const answer = await fetch(`${service.process.url}${path}`, {
      headers: { ...headers, ...resume },
      signal: cut.signal,
    });
    expect(answer.status).toBe(200);
    let text = '';
    let here = 0;
    const read = async (): Promise<void> => {
      for await (const piece of answer.body!) {
        text += Buffer.from(piece as Uint8Array).toString('utf8');
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          const id = /^id: (\d+)$/m.exec(event)?.[1];
          if (id === undefined) continue;
          ids.push(Number(id));
          isEnded = /^event: scan\.(completed|failed)$/m.test(event);
          here += 1;
          if (here < 2 || cuts >= CUTS || isEnded) continue;
          cuts += 1;
          cut.abort();
          return;
        }
      }
    };
    await read().catch(() => undefined);
  }
  return { ids, cuts };
}

describe('a precheck of samples', () => {
  it('tells each event once to a reader that is cut off twenty times, and keeps no byte', async () => {
    const dataset = await service.admin.createDataset('prechecked');
    const path = `/datasets/${dataset}/precheck/scans`;
    const { scan_run_id: id } = await service.admin.post<Run>(path, samples(20, 300));
    const { ids, cuts } = await follow(`${path}/${id}/events`);
    expect(cuts).toBe(CUTS);
    expect(ids).toEqual(ids.map((_, n) => n + 1));
    const run = await service.admin.get<Run>(`${path}/${id}`);
    expect(run).toMatchObject({ status: 'completed', files: { length: 20 } });
    expect(run.files.every(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(await leftOver()).toEqual([]);
  }, 120_000);

  it('keeps no byte when it is cancelled', async () => {
    const dataset = await service.admin.createDataset('cancelled');
    const path = `/datasets/${dataset}/precheck/scans`;
    const { scan_run_id: id } = await service.admin.post<Run>(path, samples(20, 5_000));
    expect(await service.admin.post<Run>(`${path}/${id}/cancel`, {})).toMatchObject({ status: 'cancelled' });
    await until(async () => (await leftOver()).length === 0, { what: 'the removal of the samples', ...PATIENCE });
  }, 120_000);

  it('is scored when the same file is ingested, and suggests a policy that is taken as it is', async () => {
    const dataset = await service.admin.createDataset('scored');
    const path = `/datasets/${dataset}/precheck`;
    const { scan_run_id: id } = await service.admin.post<Run>(`${path}/scans`, samples(1, 400));
    await follow(`${path}/scans/${id}/events`);
    const content = Array.from({ length: 400 }, (_, line) => `Line ${line} of ${MARK} 0.`).join('\n');
    const document = await service.admin.upload(dataset, { name: 'sample-0.txt', content });
    await service.admin.pollUntilTerminal(document.id);
    expect(await service.admin.get(path)).toMatchObject({
      accuracy: { files: 1, median_error_chunks: 0, median_error_tokens: 0 },
    });
    const { policy } = await service.admin.get<{ policy: unknown }>(`${path}/suggested-policy`);
    expect((await service.admin.send('PUT', `/datasets/${dataset}/ingestion-policy`, policy)).status).toBe(200);
  }, 120_000);
});
