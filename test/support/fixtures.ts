import { readFile } from 'node:fs/promises';
import type { ApiClient, DocumentRecord, UploadFile } from './api-client.js';

const DOCUMENTS = new URL('../fixtures/documents/', import.meta.url);

/** Every file of test/fixtures/documents, all about one fictional observatory. */
export const FIXTURE_NAMES = [
  'handbook.md',
  'policy.txt',
  'faq.html',
  'report.pdf',
  'guide.docx',
  'notice.ja.txt',
  'notice.zh.txt',
  'notice.th.txt',
] as const;

export async function readFixture(name: (typeof FIXTURE_NAMES)[number]): Promise<UploadFile> {
  return { name, content: await readFile(new URL(name, DOCUMENTS)) };
}

/** Uploads one file and waits for its end. */
export async function ingest(
  client: ApiClient,
  datasetId: string,
  file: UploadFile,
  fields: Readonly<Record<string, string>> = {},
): Promise<DocumentRecord> {
  const { id } = await client.upload(datasetId, file, fields);
  return client.pollUntilTerminal(id);
}
