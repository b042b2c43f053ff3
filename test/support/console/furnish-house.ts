import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../api-client.js';
import { personOf, type Person } from '../people.js';
import type { RunningService } from '../service-process.js';
import { CORPUS } from './corpus.js';
import { evaluate, keepBack, shareAnswer, takeIn, talk, type House } from './house.js';
import { layOutOffice } from './office-folder.js';
import { joinStaff } from './staff.js';

const STAFF = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson', 'Maximiliane von Hohenstein-Rautenberg'];
const QUESTION = 'By how much did the consumption of electricity fall?';

/** A service with the files of an office, and names as people give them: to look at. */
export async function furnishHouse(service: RunningService, port: number): Promise<House> {
  const { admin } = service;
  const owner = await personOf(admin, service.process.admin.email);
  await admin.patch(`/tenants/${owner.tenantId}`, { name: 'Northwind Observatory' });
  await joinStaff(service, port, owner.tenantId, STAFF);
  const datasetName = 'Observatory office';
  const description = 'Handbooks, reports, orders and mail of the office';
  const datasetId = await admin.createDataset(datasetName, {
    acl: 'all_team_members',
    description,
    instructions: 'Answer in two sentences. Name units as the documents do.',
  });
  const emptyId = await admin.createDataset('Contracts with suppliers of instruments, 2019 to 2026');
  const ids = await bringOffice(admin, datasetId);
  const evaluationId = await useHouse(owner, datasetId);
  return {
    datasetId,
    datasetName,
    emptyId,
    hostile: [{ id: ids.get('handbook.md')!, hostile: CORPUS[0]! }],
    places: [],
    pdfId: ids.get('reports/annual-report.pdf')!,
    sheet: { datasetId, id: ids.get('tables/staffing.xlsx')! },
    failedId: ids.get('reports/broken.pdf')!,
    heldId: await keepBack(admin, datasetId, 'It names the salaries of persons'),
    evaluationId,
    question: QUESTION,
    sharedId: await shareAnswer(admin, datasetId, QUESTION),
    words: 'gearboxes for the telescope',
    missing: 'Two comets were recovered',
    ...(await takeIn(owner, 'maria.winkelmann@example.com')),
  };
}

/** The ids of its documents by their paths. */
async function bringOffice(client: ApiClient, datasetId: string): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-house-'));
  await layOutOffice(folder);
  const ids = new Map<string, string>();
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.includes('.')) continue;
    const file = { name: path.split('/').at(-1)!, content: await readFile(join(folder, path)) };
    ids.set(path, (await client.upload(datasetId, file, { path: `office/${path}`, tags: 'office' })).id);
  }
  for (const id of ids.values()) await client.pollUntilTerminal(id);
  await rm(folder, { recursive: true });
  return ids;
}

/** What a week of use leaves: conversations with remarks, cases, keys, and an evaluation, whose id it gives. */
async function useHouse({ client }: Person, datasetId: string): Promise<string> {
  await talk(client, datasetId, {
    title: 'Electricity of the last year',
    question: QUESTION,
    reason: 'The share of the dome is missing',
    expected: 'By 23 percent, most of it in the dome.',
  });
  await talk(client, datasetId, {
    title: 'Who may order gearboxes, and how many of them does the workshop keep for the telescope mounts?',
    question: 'Who orders gearboxes for the telescope mounts?',
    reason: 'It names the workshop, not the person',
  });
  const { id: set } = await client.post<{ id: string }>('/evaluations/case-sets', {
    name: 'Questions of the workshop',
    dataset_ids: [datasetId],
    cases: [
      { query: QUESTION, expected_answer: 'By 23 percent.' },
      { query: 'Who orders gearboxes for the mounts?', relevant: [{ text: 'Orders of gearboxes go to Elena Marsh' }] },
      { query: 'Which comet is named after the night porter?', answerable: false },
    ],
  });
  const scopes = ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete'];
  await client.post('/auth/api-keys', { name: 'Nightly import', scopes: [...scopes, 'documents:write'] });
  await client.post('/auth/api-keys', { name: 'Chat of the web site', scopes, dataset_ids: [datasetId] });
  return evaluate(client, datasetId, { name: 'Before the new handbook', set });
}
