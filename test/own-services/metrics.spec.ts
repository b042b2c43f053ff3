import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addTenant, personOf, withApiKey } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

const TOKEN = 'a-token-of-the-scraper';
const METRICS_PORT = await freePort();
const service = useService({ settings: { METRICS_TOKEN: TOKEN, METRICS_PORT: String(METRICS_PORT) } });

async function scrape(headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${service.process.url}/metrics`, { headers });
}

/** The value of the one sample that begins with `series`. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('GET /metrics', () => {
  it('is for the scraper’s token and the platform’s administrator, and for no one else', async () => {
    const owner = await personOf(service.admin, service.process.admin.email);
    const stranger = await addTenant(service.admin, 'Elsewhere', 'elsewhere@example.com');
    const key = await withApiKey(owner, ['datasets:read', 'tenant:observability']);
    expect((await scrape({ Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await scrape(service.admin.headers)).status).toBe(200);
    expectProblem(await service.anonymous.send('GET', '/metrics'), 401, /^auth\./);
    expectProblem(await stranger.client.send('GET', '/metrics'), 403, /^auth\./);
    expectProblem(await key.send('GET', '/metrics'), 403, /^auth\./);
    expect((await scrape({ Authorization: `Bearer ${TOKEN.slice(0, -1)}` })).status).toBe(401);
    expect(
      (await fetch(`${service.process.url}/datasets/`, { headers: { Authorization: `Bearer ${TOKEN}` } })).status,
    ).toBe(401);
  });

  it('counts requests, documents by state, stages and calls to the store and the models', async () => {
    const datasetId = await service.admin.createDataset('Measured');
    const { id } = await service.admin.upload(datasetId, {
      name: 'lamps.txt',
      content: 'The keeper counts the lamps at dusk.',
    });
    await service.admin.pollUntilTerminal(id);
    await service.admin.search('lamps', [datasetId]);
    const answer = await scrape({ Authorization: `Bearer ${TOKEN}` });
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    const search = 'method="POST",route="/api/v1/retrieval/search",status="200"';
    expect(valueOf(text, `kb_http_request_duration_seconds_count{${search}}`)).toBe(1);
    expect(valueOf(text, 'kb_documents{status="completed"}')).toBe(1);
    expect(valueOf(text, 'kb_ingestion_tasks{state="waiting"}')).toBe(0);
    expect(valueOf(text, 'kb_ingestion_oldest_waiting_seconds')).toBe(0);
    for (const stage of ['parsing', 'chunking', 'embedding', 'vector_write']) {
      expect(valueOf(text, `kb_ingestion_stage_duration_seconds_count{stage="${stage}"}`)).toBe(1);
    }
    expect(valueOf(text, 'kb_ingestion_documents_total{outcome="completed",code=""}')).toBe(1);
    const calls = (dependency: string, kind: string, operation: string): string =>
      `kb_dependency_call_duration_seconds_count{dependency="${dependency}",kind="${kind}",operation="${operation}",outcome="ok"}`;
    expect(valueOf(text, calls('vector_store', 'embedded', 'write'))).toBe(1);
    expect(valueOf(text, calls('embedder', 'builtin', 'embed'))).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain(datasetId);
    expect(text).not.toContain(id);
  });

  it('is served without a credential on a port of its own, and no other route is', async () => {
    const open = `http://127.0.0.1:${METRICS_PORT}`;
    const answer = await fetch(`${open}/metrics`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('# TYPE kb_http_request_duration_seconds histogram');
    expect((await fetch(`${open}/api/v1/datasets/`)).status).toBe(404);
    expect((await fetch(`${open}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${open}/metrics?collect=all`)).status).toBe(200);
    expect((await fetch(`${open}/metrics`, { method: 'HEAD' })).status).toBe(200);
  });

  it('answers a liveness probe on that port, which is the only one that a worker has', async () => {
    const answer = await fetch(`http://127.0.0.1:${METRICS_PORT}/api/v1/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(await service.anonymous.get('/health'));
  });
});
