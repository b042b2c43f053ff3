import { readFile } from 'node:fs/promises';
import type { ApiClient } from '../api-client.js';
import { personOf } from '../people.js';
import type { RunningService } from '../service-process.js';
import { ATTRIBUTE_BREAK, CORPUS, type Hostile } from './corpus.js';
import { shareAnswer, takeIn, type House, type HostileDocument } from './house.js';
import {
  HOSTILE_ADDRESS,
  HOSTILE_INSTRUCTIONS,
  HOSTILE_PEOPLE,
  plantArchive,
  plantCategories,
  plantEvaluation,
  plantHeld,
  plantWords,
} from './plant-words.js';
import { joinStaff } from './staff.js';

const QUESTION = 'What does number 1 say?';
const REPORT = new URL('../../fixtures/documents/report.pdf', import.meta.url);

interface Made {
  readonly id: string;
}

/** A service whose every name and text is hostile: what is shown of it has to be shown as it is. Its members come by an issuer at `port`. */
export async function plantHouse(service: RunningService, port: number): Promise<House> {
  const { admin } = service;
  const owner = await personOf(admin, service.process.admin.email);
  await admin.patch(`/tenants/${owner.tenantId}`, { name: `Tenant ${ATTRIBUTE_BREAK}` });
  const datasetName = `Dataset ${ATTRIBUTE_BREAK}`;
  await joinStaff(service, port, owner.tenantId, HOSTILE_PEOPLE);
  const datasetId = await admin.createDataset(datasetName, {
    acl: 'all_team_members',
    description: `Description ${ATTRIBUTE_BREAK}`,
    instructions: HOSTILE_INSTRUCTIONS,
    category_ids: await plantCategories(admin),
  });
  const emptyId = await admin.createDataset('Nothing yet');
  const sheetsId = await admin.createDataset('Sheets', { acl: 'all_team_members' });
  const hostile = await plantDocuments(admin, datasetId);
  const [pdf, sheet, drawing, page, failed] = await Promise.all([
    admin.upload(datasetId, {
      name: 'report.pdf',
      content: await readFile(REPORT),
      mediaType: 'application/pdf',
    }),
    admin.upload(sheetsId, { name: 'sheet.csv', content: sheetOf(), mediaType: 'text/csv' }),
    admin.upload(datasetId, { name: 'drawing.xml', content: drawingOf(), mediaType: 'application/xml' }),
    admin.upload(datasetId, { name: 'page.html', content: pageOf(), mediaType: 'text/html' }),
    admin.upload(datasetId, { name: 'empty.md', content: '' }),
  ]);
  for (const { id } of [pdf, sheet, drawing, page, failed]) await admin.pollUntilTerminal(id);
  const held = await plantHeld(admin, sheetsId);
  const words = await plantWords(owner, datasetId);
  const evaluation = await plantEvaluation(admin, datasetId);
  return {
    datasetId,
    datasetName,
    emptyId,
    hostile: [
      ...hostile,
      ...[drawing, page].map(({ id }) => ({ id, hostile: { ...CORPUS[0]!, text: 'a sentence in a file' } })),
    ],
    places: [...words, ...evaluation.places, ...(await plantArchive(admin)), held.place],
    evaluationId: evaluation.id,
    pdfId: pdf.id,
    sheet: { datasetId: sheetsId, id: sheet.id },
    question: QUESTION,
    sharedId: await shareAnswer(admin, datasetId, QUESTION),
    words: 'number says',
    missing: 'sentence in a file',
    failedId: failed.id,
    heldId: held.id,
    ...(await takeIn(owner, HOSTILE_ADDRESS)),
  };
}

/** Every line of the corpus in a cell and in a column's head. */
const sheetOf = (): string =>
  [CORPUS.map(({ name }) => cellOf(name)), CORPUS.map(({ text }) => cellOf(text))]
    .map((row) => `${row.join(',')}\n`)
    .join('');
const cellOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;

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
