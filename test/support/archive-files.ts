import { makeZip } from '../../libs/parsing/src/testing/make-zip.js';
import type { ApiClient, DocumentRecord, Page } from './api-client.js';

/** An archive, or a file of one, as documents are answered. */
export interface ArchiveRecord extends DocumentRecord {
  readonly path: string | null;
  readonly archive_id: string | null;
  readonly revision: number;
  readonly tags: readonly string[];
}

/** A ZIP of texts by path. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  return makeZip(Object.entries(files).map(([name, content]) => ({ name, data: Buffer.from(content as string) })));
}

/** Uploads an archive, and waits until all its files have ended. */
export async function ingestArchive(
  client: ApiClient,
  dataset: string,
  content: Buffer,
  fields: Record<string, string> = {},
  name = 'handbook.zip',
): Promise<ArchiveRecord> {
  const { id } = await client.upload(dataset, { name, content }, fields);
  return (await client.pollUntilTerminal(id)) as ArchiveRecord;
}

/** The files of an archive by their paths. */
export async function partsOf(client: ApiClient, id: string): Promise<ReadonlyMap<string, ArchiveRecord>> {
  const { items } = await client.get<Page<ArchiveRecord>>(`/documents/?archive_id=${id}&order_by=name&limit=100`);
  return new Map(items.map((part) => [part.path!, part]));
}
