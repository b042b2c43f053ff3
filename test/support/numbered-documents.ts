import { expect } from 'vitest';
import type { ApiClient, DocumentRecord, Page, UploadFile } from './api-client.js';

const PARAGRAPHS = 12;

/** A document whose first sentence is in no other, and that gets more than one chunk. */
export interface NumberedDocument extends UploadFile {
  readonly content: string;
  /** As a question that only this document answers. */
  readonly sentence: string;
}

/** `name` keeps those of several calls apart. */
export function numberedDocument(name: string, number: number): NumberedDocument {
  const code = `${name}${number.toString(36)}x${(number * 7919 + 104_729).toString(36)}`;
  const sentence = `The lighthouse ${code} was lit by keeper ${code}.`;
  const paragraphs = Array.from(
    { length: PARAGRAPHS },
    (_, at) =>
      `Entry ${at} of logbook ${number}: wind from the north, swell of ${at + number} feet, lamp trimmed twice.`,
  );
  return { name: `${name}-${number}.txt`, content: [sentence, ...paragraphs].join('\n\n'), sentence };
}

/** Fails unless the document is completed, completed once, and its sentence is found in it and nowhere else. */
export async function expectFoundOnce(client: ApiClient, id: string, document: NumberedDocument): Promise<void> {
  const record = await client.get<DocumentRecord>(`/documents/${id}`);
  expect(record, record.error_message ?? '').toMatchObject({ status: 'completed', searchable: true, error: null });
  const { items } = await client.get<{ items: { event: string }[] }>(`/documents/${id}/timeline`);
  expect(items.filter(({ event }) => event === 'completed')).toHaveLength(1);
  const chunks = await client.get<Page<unknown>>(`/documents/${id}/chunks?limit=1`);
  expect(chunks.total).toBe(record.chunk_count);
  for (const method of ['keyword', 'hybrid']) {
    const options = { top_k: 10, search_method: method };
    const { results } = await client.search(document.sentence, [record.dataset_id], options);
    const hits = results.filter(({ text }) => text.includes(document.sentence));
    expect(hits.map((hit) => hit.document_id)).toEqual([id]);
    expect(results[0]?.document_id).toBe(id);
  }
}

/** How many of the documents have come to an end, of which kind. */
export async function countByStatus(client: ApiClient, ids: Iterable<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const { status } = await client.get<DocumentRecord>(`/documents/${id}/status`);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
