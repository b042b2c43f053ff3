import { expect } from 'vitest';
import type { ApiClient, Problem } from './api-client.js';

/** As contract: how an answer looks that a store is to blame for. */
export async function expectSearchUnavailable(client: ApiClient, datasetId: string, withinMs: number): Promise<void> {
  const began = Date.now();
  const body = { query: 'lighthouse', dataset_ids: [datasetId] };
  const { status, headers, body: problem } = await client.send<Problem>('POST', '/retrieval/search', body);
  expect(status, JSON.stringify(problem)).toBe(503);
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(problem).toMatchObject({ status: 503, code: expect.any(String), request_id: expect.any(String) });
  expect(Date.now() - began).toBeLessThan(withinMs);
}

interface Details {
  readonly status: string;
  readonly components: Readonly<Record<string, { status: string; detail: string | null }>>;
}

export async function readiness(client: ApiClient): Promise<number> {
  return (await client.send('GET', '/health/ready')).status;
}

/** Only the vector store is to blame, and readiness says 503 without saying which. */
export async function expectStoreDown(client: ApiClient): Promise<void> {
  const ready = await client.send('GET', '/health/ready');
  expect(ready.status).toBe(503);
  expect(ready.body).toEqual({ ok: false, status: 'unready' });
  const details = await client.get<Details>('/health/details');
  expect(details.status).toBe('down');
  expect(details.components['vector_backend']).toMatchObject({ status: 'down', detail: expect.stringMatching(/\S/) });
  const others = Object.entries(details.components).filter(([name]) => name !== 'vector_backend');
  expect(others.filter(([, { status }]) => status === 'down')).toEqual([]);
}

/** The reason for which a document waits, null when it does not. */
export async function waitingReason(client: ApiClient, documentId: string): Promise<string | null> {
  return (await client.get<{ waiting_reason: string | null }>(`/documents/${documentId}/status`)).waiting_reason;
}
