import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ingest } from '../support/fixtures.js';
import { useTenant } from '../support/shared-service.js';

interface Answer {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly citations: readonly { readonly document_name: string; readonly cited_text: string }[];
  readonly refusal: { readonly code: string } | null;
}

const FOLDER = new URL('../fixtures/field/', import.meta.url);
const service = useTenant();
let datasets = 0;

/** A dataset with one file of people outside. */
async function datasetOf(file: string, policy?: object): Promise<{ dataset: string; document: string }> {
  datasets += 1;
  const dataset = await service.admin.createDataset(`Field ${datasets}`);
  if (policy !== undefined) {
    await service.admin.send('PUT', `/datasets/${dataset}/ingestion-policy`, JSON.stringify(policy));
  }
  const name = file.replace(/^.*\//, '');
  const { id, status } = await ingest(service.admin, dataset, { name, content: await readFile(new URL(file, FOLDER)) });
  expect(status).toBe('completed');
  return { dataset, document: id };
}

const ask = (dataset: string, question: string): Promise<Answer> =>
  service.admin.post<Answer>('/chat/completions', {
    messages: [{ role: 'user', content: question }],
    dataset_ids: [dataset],
  });

const textOf = (document: string): Promise<string> =>
  service.admin.get<string>(`/documents/${document}/text?start=0&end=5000`);

describe('files as people have them', () => {
  it.each([
    ['01-year-headers/staffing.xlsx', 'What was the headcount in Oslo in 2025?', /\b21\b/],
    ['05-pdf-table-continued/parts.pdf', 'What is the unit price of P-1063?', /43\.50?/],
    ['06-csv-with-title-lines/export.csv', 'Wie hoch ist der Umsatz in Leipzig?', /12\.?034/],
    ['08-short-help-page/returns.html', 'Who pays for the parcel?', /4\.90 euros/],
  ])('%s answers “%s”', async (file, question, answer) => {
    const { dataset } = await datasetOf(file);
    expect((await ask(dataset, question)).choices[0]!.message.content).toMatch(answer);
  });

  it.each([
    ['08-short-help-page/returns.html', 'Do you use cookies?'],
    ['16-markdown-comments-front-matter/guide.md', 'Who should be asked before publishing?'],
  ])('%s refuses “%s”', async (file, question) => {
    const { dataset } = await datasetOf(file);
    expect((await ask(dataset, question)).refusal).not.toBeNull();
  });

  it('06-csv-with-title-lines/export.csv is cited by the one row that says it', async () => {
    const { dataset } = await datasetOf('06-csv-with-title-lines/export.csv');
    const { citations } = await ask(dataset, 'Wie hoch ist der Umsatz in Leipzig?');
    expect(citations.map((one) => one.cited_text)).toEqual([expect.stringMatching(/^Leipzig.*12\.034,00/)]);
  });

  it('07-mail-thread: what was said last leads, and not the mail that asked', async () => {
    const dataset = await service.admin.createDataset('A thread');
    for (const n of [0, 1, 2, 3, 4, 5]) {
      const name = `mail${n}.eml`;
      await ingest(service.admin, dataset, {
        name,
        content: await readFile(new URL(`07-mail-thread/${name}`, FOLDER)),
      });
    }
    const { choices } = await ask(dataset, 'When is the go-live of the billing portal?');
    expect(choices[0]!.message.content).toMatch(/^[^.[]*7 April/);
    const said = await ask(dataset, 'Who said that the go-live is on 24 March, 06:00?');
    const first = said.citations.find((one) => one.cited_text.includes('24 March, 06:00'));
    expect(first?.document_name).toBe('mail4.eml');
  });

  it('reads a ZIP with a stored PDF, and leaves hidden cells out where the policy says so', async () => {
    const { document: pack } = await datasetOf('02-zip-stored-pdf/pack.zip', { parsing: { archive: 'whole' } });
    expect(await textOf(pack)).toContain('within fourteen months of delivery');
    const { document: shown } = await datasetOf('09-hidden-rows-and-columns/prices.xlsx');
    expect(await textOf(shown)).toContain('24.9');
    const policy = { parsing: { hidden: 'exclude' } };
    const { document: left } = await datasetOf('09-hidden-rows-and-columns/prices.xlsx', policy);
    expect(await textOf(left)).toContain('Lamp Borea | 65');
    expect(await textOf(left)).not.toContain('24.9');
  });
});
