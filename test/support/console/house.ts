import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../api-client.js';
import { addMember, personOf, type Person } from '../people.js';
import type { RunningService } from '../service-process.js';
import { ATTRIBUTE_BREAK, CORPUS, type Hostile } from './corpus.js';
import { layOutOffice } from './office-folder.js';

const REPORT = new URL('../../fixtures/documents/report.pdf', import.meta.url);

/** A document of the corpus, with every place where it carries its line. */
export interface HostileDocument {
  readonly id: string;
  readonly hostile: Hostile;
}

/** What stands in the service before the console's pages are looked at. */
export interface House {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly emptyId: string;
  readonly hostile: readonly HostileDocument[];
  readonly pdfId: string;
  /** A question that it answers, words that find passages in it, and words of one that these do not find. */
  readonly question: string;
  readonly words: string;
  readonly missing: string;
  readonly failedId: string;
  /** An answer of the administrator that is shared. */
  readonly sharedId: string;
  /** What opens an invitation of somebody who has no account. */
  readonly invitation: string;
  /** Who only reads. */
  readonly reader: Person;
  readonly readerPassword: string;
}

interface Made {
  readonly id: string;
}

/** A service whose every name and text is hostile: what is shown of it has to be shown as it is. */
export async function plantHouse(service: RunningService): Promise<House> {
  const { admin } = service;
  const owner = await personOf(admin, service.process.admin.email);
  await admin.patch(`/tenants/${owner.tenantId}`, { name: `Tenant ${ATTRIBUTE_BREAK}` });
  const datasetName = `Dataset ${ATTRIBUTE_BREAK}`;
  const more = { acl: 'all_team_members', description: `Description ${ATTRIBUTE_BREAK}` };
  const datasetId = await admin.createDataset(datasetName, more);
  const emptyId = await admin.createDataset('Nothing yet');
  const hostile = await plantDocuments(admin, datasetId);
  const [pdf, drawing, page, failed] = await Promise.all([
    admin.upload(datasetId, {
      name: 'report.pdf',
      content: await readFile(REPORT),
      mediaType: 'application/pdf',
    }),
    admin.upload(datasetId, { name: 'drawing.xml', content: drawingOf(), mediaType: 'application/xml' }),
    admin.upload(datasetId, { name: 'page.html', content: pageOf(), mediaType: 'text/html' }),
    admin.upload(datasetId, { name: 'empty.md', content: '' }),
  ]);
  for (const { id } of [pdf, drawing, page, failed]) await admin.pollUntilTerminal(id);
  const question = 'What does number 1 say?';
  return {
    datasetId,
    datasetName,
    emptyId,
    hostile: [
      ...hostile,
      ...[drawing, page].map(({ id }) => ({ id, hostile: { ...CORPUS[0]!, text: 'a sentence in a file' } })),
    ],
    pdfId: pdf.id,
    question,
    sharedId: await shareAnswer(admin, datasetId, question),
    words: 'number says',
    missing: 'sentence in a file',
    failedId: failed.id,
    ...(await takeIn(owner)),
  };
}

/** The link to the answer of a question. */
async function shareAnswer(admin: ApiClient, datasetId: string, question: string): Promise<string> {
  const { id } = await admin.post<Made>('/conversations', {});
  const { conversation } = await admin.post<{ conversation: { turn_id: string } }>('/chat/completions', {
    messages: [{ role: 'user', content: question }],
    dataset_ids: [datasetId],
    conversation_id: id,
  });
  return (await admin.post<Made>(`/conversations/${id}/turns/${conversation.turn_id}/share`, {})).id;
}

/** Somebody who only reads, and somebody who is invited and has not come yet. */
async function takeIn(owner: Person): Promise<Pick<House, 'invitation' | 'reader' | 'readerPassword'>> {
  const reader = await addMember(owner, 'reader@example.com', 'viewer');
  const { secret: invitation } = await owner.client.post<{ secret: string }>(`/tenants/${owner.tenantId}/members`, {
    email: 'invited@example.com',
    role: 'viewer',
  });
  return { invitation, reader, readerPassword: 'a long enough password' };
}

const drawingOf = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload="ranHere('file')"><script>ranHere('file')</script><text>a sentence in a file</text></svg>`;
const pageOf = (): string =>
  `<html><body onload="ranHere('file')"><script>ranHere('file')</script><h1>A page</h1><p>Here is a sentence in a file.</p></body></html>`;

async function plantDocuments(admin: ApiClient, datasetId: string): Promise<readonly HostileDocument[]> {
  const made: HostileDocument[] = [];
  for (const hostile of CORPUS) {
    const { id } = await uploadHostile(admin, datasetId, hostile);
    made.push({ id, hostile });
  }
  for (const { id } of made) await admin.pollUntilTerminal(id);
  return made;
}

async function uploadHostile(admin: ApiClient, datasetId: string, { number, text, name }: Hostile): Promise<Made> {
  // A text file: what looks like markup is its text. Metadata, tags and headings come with the Markdown one.
  const isMarkdown = number % 2 === 0;
  const content = isMarkdown ? `# ${name}\n\n\`\`\`\n${text}\n\`\`\`\n` : `Number ${number} says ${text}\n`;
  const fields = {
    path: `folder ${name}/file ${name}.${isMarkdown ? 'md' : 'txt'}`,
    tags: `tag ${name}`,
    metadata: JSON.stringify({ [`key ${name}`]: `value ${text}` }),
  };
  return admin.upload(datasetId, { name: `file ${name}.${isMarkdown ? 'md' : 'txt'}`, content }, fields);
}

/** The same with the files of an office and names as people give them: to look at. */
export async function furnishHouse(service: RunningService): Promise<House> {
  const { admin } = service;
  const owner = await personOf(admin, service.process.admin.email);
  await admin.patch(`/tenants/${owner.tenantId}`, { name: 'Northwind Observatory' });
  const datasetName = 'Observatory office';
  const description = 'Handbooks, reports, orders and mail of the office';
  const datasetId = await admin.createDataset(datasetName, { acl: 'all_team_members', description });
  const emptyId = await admin.createDataset('Contracts with suppliers of instruments, 2019 to 2026');
  const folder = await mkdtemp(join(tmpdir(), 'kb-house-'));
  await layOutOffice(folder);
  const ids = new Map<string, string>();
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.includes('.')) continue;
    const file = { name: path.split('/').at(-1)!, content: await readFile(join(folder, path)) };
    ids.set(path, (await admin.upload(datasetId, file, { path: `office/${path}`, tags: 'office' })).id);
  }
  for (const id of ids.values()) await admin.pollUntilTerminal(id);
  await rm(folder, { recursive: true });
  const question = 'By how much did the consumption of electricity fall?';
  return {
    datasetId,
    datasetName,
    emptyId,
    hostile: [{ id: ids.get('handbook.md')!, hostile: CORPUS[0]! }],
    pdfId: ids.get('reports/annual-report.pdf')!,
    failedId: ids.get('reports/broken.pdf')!,
    question,
    sharedId: await shareAnswer(admin, datasetId, question),
    words: 'gearboxes for the telescope',
    missing: 'Two comets were recovered',
    ...(await takeIn(owner)),
  };
}
