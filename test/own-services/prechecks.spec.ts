import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { filesHolding } from '../support/files-holding.js';
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
    const text = Array.from({ length: lines }, (_, line) => `Line ${line} of the ${MARK} ${n}.`).join('\n');
    form.append('files', new Blob([text]), `sample-${n}.txt`);
  }
  return form;
}

/** Files below the data folder that hold a word of a sample, in either encoding. */
const leftOver = (): Promise<string[]> => filesHolding(join(service.process.folder, 'data'), MARK);

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
    const content = Array.from({ length: 400 }, (_, line) => `Line ${line} of the ${MARK} 0.`).join('\n');
    const document = await service.admin.upload(dataset, { name: 'sample-0.txt', content });
    await service.admin.pollUntilTerminal(document.id);
    expect(await service.admin.get(path)).toMatchObject({
      accuracy: { files: 1, median_error_chunks: 0, median_error_tokens: 0 },
    });
    const { policy } = await service.admin.get<{ policy: unknown }>(`${path}/suggested-policy`);
    expect((await service.admin.send('PUT', `/datasets/${dataset}/ingestion-policy`, policy)).status).toBe(200);
  }, 120_000);
});

describe('what is sensitive in a document', () => {
  /** One value in each place that is looked at, each of a type of its own. */
  const PLANTED = {
    email: 'frieda.bauer@kestrel-survey.org',
    ip_address: '84.17.52.9',
    iban: 'DE89 3704 0044 0532 0130 00',
    credit_card: '4539 9173 6482 0016',
    us_ssn: '536-22-4108',
    hidden_text: 'The warden counts the stoves.',
  };
  const TITLE = `Rent goes to ${PLANTED.iban}`;
  const HTML = `<html><head><title>${TITLE}</title></head><body><p>The hut opens in May. Ask ${PLANTED.email} for a place.</p>
    <p><span style="opacity:0">${PLANTED.hidden_text}</span></p></body></html>`;
  const FILE = { name: `host ${PLANTED.ip_address} seen.html`, content: HTML };
  const FACTS = { metadata: JSON.stringify({ card: PLANTED.credit_card }), tags: `ssn ${PLANTED.us_ssn}` };
  const ALL = Object.fromEntries(Object.keys(PLANTED).map((type) => [type, 1]));
  type Counts = readonly { readonly type?: string; readonly entity_type?: string; readonly findings: number }[];
  const countsOf = (counts: Counts) =>
    Object.fromEntries(counts.map(({ type, entity_type: entity, findings }) => [type ?? entity, findings]));

  async function ended<T>(path: string): Promise<T> {
    const read = () => service.admin.get<T & { status: string }>(path);
    await until(async () => (await read()).status === 'completed', { what: path, ...PATIENCE });
    return read();
  }

  async function precheck(dataset: string, body: unknown): Promise<Record<string, number>> {
    interface Checked {
      readonly files: readonly { readonly checks: readonly { readonly check: string; readonly detail: string }[] }[];
    }
    const path = `/datasets/${dataset}/precheck/scans`;
    const { scan_run_id: id } = await service.admin.post<Run>(path, body);
    const { files } = await ended<Checked>(`${path}/${id}`);
    const detail = files[0]!.checks.find(({ check }) => check === 'pii')!.detail;
    return Object.fromEntries([...detail.matchAll(/([a-z_]+) (\d+)/g)].map(([, type, n]) => [type, Number(n)]));
  }

  it('is counted alike by ingestion, rescans, profile scans and prechecks, wherever it is', async () => {
    const { admin } = service;
    const dataset = await admin.createDataset('planted');
    const path = `/datasets/${dataset}`;
    const { policy } = await admin.get<{ policy: { governance: object } }>(`${path}/ingestion-policy`);
    const detectors = Object.keys(PLANTED).map((type) => ({ entity_type: type, action: 'allow', min_score: 0.5 }));
    const changed = { ...policy, governance: { ...policy.governance, detectors } };
    expect((await admin.send('PUT', `${path}/ingestion-policy`, changed)).status).toBe(200);
    const { id } = await admin.upload(dataset, FILE, FACTS);
    expect(await admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed' });
    type Found = { readonly items: readonly { readonly entity_type: string; readonly place: string }[] };
    const { items } = await admin.get<Found>(`/governance/findings?document_id=${id}&limit=100`);
    expect(items.map(({ entity_type: type, place }) => `${type} in ${place}`).toSorted()).toEqual([
      'credit_card in metadata',
      'email in text',
      'hidden_text in text',
      'iban in title',
      'ip_address in name',
      'us_ssn in tags',
    ]);
    const rescan = await admin.post<{ id: string }>('/governance/rescans', { dataset_id: dataset });
    const { findings } = await ended<{ findings: Counts }>(`/governance/rescans/${rescan.id}`);
    expect(countsOf(findings)).toEqual(ALL);
    const { scan_run_id: scan } = await admin.post<Run>(`${path}/profile/scans`, {});
    const { summary } = await ended<{ summary: { findings: Counts } }>(`${path}/profile/scans/${scan}`);
    expect(countsOf(summary.findings)).toEqual(ALL);
    expect(await precheck(dataset, { document_ids: [id] })).toEqual(ALL);
    const sample = new FormData();
    sample.append('files', new Blob([HTML]), FILE.name);
    // A sample has no metadata and no tags.
    const { credit_card: _card, us_ssn: _ssn, ...ofFile } = ALL;
    expect(await precheck(dataset, sample)).toEqual(ofFile);
  }, 120_000);
});
