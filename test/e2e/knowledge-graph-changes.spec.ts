import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, DocumentRecord, UploadFile } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { buildGraph, tellGraph, type GraphPart, type GraphState } from '../support/knowledge-graphs.js';
import { useTenant } from '../support/shared-service.js';

const NAMES = ['Maren Oxley', 'Quentin Marlow', 'Ottilie Brandt', 'Ruben Castell', 'Sigrid Holm', 'Tomas Vale'];
const PLACES = ['Leeds', 'Hull', 'Grimsby', 'York', 'Durham', 'Whitby'];

/** Short documents that share organisations, people and places. */
const FILES: readonly UploadFile[] = Array.from({ length: 12 }, (_, n) => {
  const [one, other] = [NAMES[n % 6]!, NAMES[(n * 5 + 1) % 6]!];
  const place = PLACES[(n + Math.floor(n / 6)) % 6]!;
  const content =
    `${one} leads the Coastal Survey Trust (CST) in ${place}. ${other} lives in ${place}. ` +
    `${n % 2 === 0 ? 'CST' : 'Coastal Survey Trust'} owns Pier ${n + 1} Company. ${one} met ${other} on ${n + 1} May 2021.`;
  return { name: `note-${n}.txt`, content };
});

const service = useTenant();
let client: ApiClient;
let made = 0;

beforeAll(() => {
  client = service.admin;
});

async function datasetWith(files: readonly UploadFile[], kg?: object): Promise<{ id: string; documents: string[] }> {
  const id = await client.createDataset(`Notes ${(made += 1)}`);
  if (kg !== undefined) await changePolicy(id, { kg });
  const uploaded: string[] = [];
  for (const file of files) uploaded.push((await client.upload(id, file)).id);
  for (const document of uploaded) await client.pollUntilTerminal(document);
  return { id, documents: uploaded };
}

async function changePolicy(dataset: string, sections: object): Promise<void> {
  const path = `/datasets/${dataset}/ingestion-policy`;
  const { policy } = await client.get<{ policy: object }>(path);
  const changed = await client.send('PUT', path, { ...policy, ...sections });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
}

/** The graph that these files give when nothing else was ever there. */
async function anew(files: readonly UploadFile[]): Promise<object> {
  const { id } = await datasetWith(files);
  await buildGraph(client, id);
  return tellGraph(client, id);
}

async function again(document: string, path: string, body: object): Promise<DocumentRecord> {
  await client.post(path, body);
  return client.pollUntilTerminal(document);
}

const tell = (dataset: string) => tellGraph(client, dataset);
const labels = async (dataset: string): Promise<string[]> =>
  (await client.get<GraphPart>(`/kg/${dataset}/graph`)).nodes.map(({ label }) => label);

describe('a graph follows its documents', () => {
  it('when they are deleted, one after another', async () => {
    const { id, documents } = await datasetWith(FILES);
    await buildGraph(client, id);
    const seen: { left: readonly UploadFile[]; told: object }[] = [];
    for (const [n, document] of documents.entries()) {
      await client.delete(`/documents/${document}`);
      if (n % 4 === 0) seen.push({ left: FILES.slice(n + 1), told: await tell(id) });
    }
    expect(await tell(id)).toEqual({ nodes: [], edges: [] });
    for (const { left, told } of seen) expect(told, `${left.length} files are left`).toEqual(await anew(left));
  });

  it('when they go into quarantine and are released', async () => {
    const { id, documents } = await datasetWith(FILES);
    await buildGraph(client, id);
    const whole = await tell(id);
    const [first, second] = documents;
    await client.post('/governance/quarantine', { document_ids: [first, second], reason: 'manual' });
    expect(await tell(id)).toEqual(await anew(FILES.slice(2)));
    expect(await client.get<GraphState>(`/kg/${id}`)).toMatchObject({ documents: { extracted: 10, not_extracted: 0 } });
    await again(first!, '/governance/quarantine/release', { document_ids: [first, second] });
    await client.pollUntilTerminal(second!);
    expect(await tell(id)).toEqual(whole);
  });

  it('when they are ingested again, also by other chunks', async () => {
    const { id, documents } = await datasetWith(FILES);
    await buildGraph(client, id);
    const whole = await tell(id);
    await again(documents[0]!, '/documents/batch/reingest', { document_ids: [documents[0]] });
    expect(await tell(id)).toEqual(whole);
    await changePolicy(id, { chunking: { strategy: 'sentence', chunk_size: 64, chunk_overlap: 0 } });
    await again(documents[1]!, '/documents/batch/reingest', { document_ids: documents });
    for (const document of documents) await client.pollUntilTerminal(document);
    expect((await tell(id)).nodes).toEqual(whole.nodes);
    expect(await client.get<GraphState>(`/kg/${id}`)).toMatchObject({ documents: { extracted: 12, not_extracted: 0 } });
  });

  it('when their revision is replaced', async () => {
    const file = { name: 'note.txt', content: 'Ursula Kemp lives in Dover. Ursula Kemp founded Chalk Cliff Ltd.' };
    const { id, documents } = await datasetWith([...FILES.slice(0, 3), file]);
    await buildGraph(client, id);
    expect(await labels(id)).toContain('Ursula Kemp');
    await client.delete(`/documents/${documents[3]}`);
    await ingest(client, id, {
      name: 'note.txt',
      content: 'Viktor Lund lives in Dover. Viktor Lund leads Chalk Cliff Ltd.',
    });
    expect(await labels(id)).not.toContain('Ursula Kemp');
    await buildGraph(client, id);
    expect(await labels(id)).toEqual(expect.arrayContaining(['Viktor Lund', 'Chalk Cliff Ltd']));
  });

  it('when values in them are masked', async () => {
    const secret = 'jane.harper@example.org';
    const file = { name: 'mail.txt', content: `The address "${secret}" means the Harbour Desk. Maren Oxley runs it.` };
    const { id, documents } = await datasetWith([...FILES.slice(0, 3), file]);
    await buildGraph(client, id);
    const detectors = [{ entity_type: 'email', action: 'mask', min_score: 0.5 }];
    const { policy } = await client.get<{ policy: { governance: object } }>(`/datasets/${id}/ingestion-policy`);
    await changePolicy(id, { governance: { ...policy.governance, detectors } });
    await again(documents[3]!, '/documents/batch/reingest', { document_ids: [documents[3]] });
    for (const format of ['json', 'csv', 'graphml']) {
      const answer = await client.send('GET', `/kg/${id}/graph?limit=2000&format=${format}`);
      expect(JSON.stringify(answer.body)).not.toContain('jane.harper');
    }
    expect(await labels(id)).toContain('Maren Oxley');
  });
});

describe('a graph of a dataset whose policy has kg.mode', () => {
  it('is filled while documents are ingested, as an extraction would fill it', async () => {
    const { id } = await datasetWith(FILES, { mode: 'heuristic' });
    expect(await client.get(`/kg/${id}`)).toMatchObject({
      status: 'empty',
      documents: { extracted: 12, not_extracted: 0 },
    });
    const told = await tell(id);
    expect(told).toEqual(await anew(FILES));
    expect(await client.post('/kg/trigger', { dataset_id: id, dry_run: true })).toMatchObject({
      estimate: { documents: 12, documents_to_extract: 0, tokens: 0 },
    });
    await buildGraph(client, id);
    expect(await tell(id)).toEqual(told);
  });

  it('keeps the kinds that the policy names', async () => {
    const { id } = await datasetWith(FILES.slice(0, 3), { mode: 'heuristic', entity_types: ['place'] });
    const { nodes } = await client.get<GraphPart>(`/kg/${id}/graph`);
    expect(new Set(nodes.map(({ type }) => type))).toEqual(new Set(['place']));
  });

  it('tells nothing of documents that are not there any more, whatever runs meanwhile', async () => {
    const { id, documents } = await datasetWith(FILES);
    await client.post('/kg/trigger', { dataset_id: id });
    for (const document of documents.slice(0, 6)) await client.delete(`/documents/${document}`);
    const isDone = async () => (await client.get<GraphState>(`/kg/${id}`)).status === 'completed';
    await until(isDone, { what: 'the graph' });
    expect(await tell(id)).toEqual(await anew(FILES.slice(6)));
  });
});
