import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ingest } from '../support/fixtures.js';
import { addMember, personOf, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const EVIL = '<script>alert(1)</script> =1+1 javascript:alert(2)';
const SCRIPT = new URL('../../scripts/evaluate.mjs', import.meta.url).pathname;
const run = promisify(execFile);

interface Job {
  readonly id: string;
  readonly status: string;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const service = useTenant();
let owner: Person;
let folder: string;
let dataset: string;
let key: string;

beforeAll(async () => {
  owner = await personOf(service.admin, service.owner.email);
  folder = await mkdtemp(join(tmpdir(), 'kb-evaluate-'));
  dataset = await owner.client.createDataset('Pumps');
  await ingest(owner.client, dataset, { name: 'pump.txt', content: 'The pump is serviced every 400 hours.' });
  key = (await owner.client.post<{ secret: string }>('/auth/api-keys', { name: 'ci', scopes: SCOPES })).secret;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SCOPES = ['datasets:read', 'documents:read', 'retrieval:search', 'evaluations:run'];
const found = Array.from({ length: 20 }, (_, n) => ({
  query: `When is pump ${n} serviced?`,
  relevant: [{ text: 'every 400 hours' }],
}));
const notFound = Array.from({ length: 20 }, (_, n) => ({
  query: `${EVIL} ${n}`,
  relevant: [{ text: 'no such words' }],
  tags: [EVIL],
}));

function bodyOf(cases: object[], gates: object[] = [{ metric: 'hit_rate', min: 0.5 }]): object {
  const variants = [{ name: 'words', retrieval: { search_method: 'keyword' } }];
  return { name: EVIL, dataset_ids: [dataset], cases, variants, metrics: ['hit_rate'], gates };
}

async function completed(body: object): Promise<string> {
  const { id } = await owner.client.post<Job>('/evaluations/jobs', body);
  const isCompleted = async (): Promise<boolean> =>
    (await owner.client.get<Job>(`/evaluations/jobs/${id}`)).status === 'completed';
  await until(isCompleted, { what: 'the end of the evaluation', withinMs: 60_000, everyMs: 50 });
  return id;
}

/** The command as a pipeline runs it. */
async function evaluate(body: unknown, ...more: string[]): Promise<Outcome> {
  const file = join(folder, 'job.json');
  await writeFile(file, typeof body === 'string' ? body : JSON.stringify(body));
  const env = { PATH: process.env['PATH'], KB_URL: service.url, KB_API_KEY: key };
  return run(process.execPath, [SCRIPT, '--job', file, ...more], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Outcome,
  );
}

describe('the report of an evaluation', () => {
  it('is a page that runs and loads nothing, JSON, CSV, or JUnit', async () => {
    const path = `/evaluations/jobs/${await completed(bodyOf(notFound))}/report`;
    const page = await owner.client.send<string>('GET', path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+; .*sandbox$/,
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.body).toContain('&lt;script&gt;alert(1)');
    expect(page.body).not.toContain('<script');
    expect(page.body).toContain('20 of 20');
    const csv = await owner.client.send<string>('GET', `${path}?format=csv`);
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="evaluation-[0-9a-f-]+\.csv"$/);
    expect(csv.body.split('\r\n')).toHaveLength(22);
    const junit = await owner.client.send<string>('GET', `${path}?format=junit`);
    expect(junit.body).toMatch(/tests="21" failures="21"/);
    expect(await owner.client.get(`${path}?format=json`)).toMatchObject({
      job: { verdict: 'fail' },
      cases: [
        { variants: [{ variant: 'words', metrics: { 'hit_rate@10': 0 } }] },
        ...notFound.slice(1).map(() => ({})),
      ],
    });
    expectInvalid(await owner.client.send('GET', `${path}?format=pdf`), ['/format']);
  });

  it('is not there before the end, and for no one who does not see the datasets', async () => {
    const { id } = await owner.client.post<Job>('/evaluations/jobs', bodyOf(found));
    await owner.client.post(`/evaluations/jobs/${id}/cancel`, {});
    const early = await owner.client.send('GET', `/evaluations/jobs/${id}/report`);
    expectProblem(early, 409, 'evaluations.not_completed');
    const ben = await addMember(owner, 'ben@example.com', 'admin');
    const other = await ben.client.send('GET', `/evaluations/jobs/${id}/report`);
    expectProblem(other, 404, 'evaluations.job_not_found');
  });
});

describe('npm run evaluate', () => {
  it('ends with 1 where the gate fails, and names the cases', async () => {
    const junit = join(folder, 'junit.xml');
    const report = join(folder, 'report.html');
    const failed = await evaluate(bodyOf(notFound), '--gate', '--junit', junit, '--report', report);
    expect(failed, failed.stderr).toMatchObject({ code: 1 });
    expect(failed.stdout).toMatch(/fail\s+words: hit_rate@10 at least 0.5: 0.000[^]*Verdict: fail/);
    expect(await readFile(junit, 'utf8')).toContain('<failure type="min"');
    expect(await readFile(report, 'utf8')).toMatch(/^<!doctype html>/);
    expect(await evaluate(bodyOf(notFound))).toMatchObject({ code: 0 });
  });

  it('ends with 0 where it passes, or is not sure unless it has to be', async () => {
    expect(await evaluate(bodyOf(found), '--gate')).toMatchObject({ code: 0 });
    const unsure = bodyOf([...found, ...notFound]);
    expect(await evaluate(unsure, '--gate')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('inconclusive') as string,
    });
    expect(await evaluate(unsure, '--gate', '--strict')).toMatchObject({ code: 1 });
  });

  it('ends with 2 and a reason where there is no verdict', async () => {
    const reasons: [unknown, string[], RegExp][] = [
      ['{', [], /holds no JSON/],
      [{ ...bodyOf(found), name: '' }, [], /answered 422[^]*\/name/],
      [bodyOf(found, []), ['--gate'], /has no gates/],
      [bodyOf(found), ['--colour'], /--colour/],
      [bodyOf(found), ['--key', 'kb_wrong'], /answered 401/],
    ];
    for (const [body, more, reason] of reasons) {
      const outcome = await evaluate(body, ...more);
      expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) as string });
    }
  });
});
