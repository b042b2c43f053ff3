import { join } from 'node:path';
import { Client } from 'pg';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import type { ServiceProcess } from './service-process.js';

/** Each a copy of one document's row under a name, an id and a sum of its own, a millisecond younger than the one before. */
const COPY = `INSERT INTO documents SELECT r.* FROM documents d
  CROSS JOIN generate_series(1, $2::int) AS n
  CROSS JOIN LATERAL jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'path', NULL,
    'name', 'copy-' || lpad(n::text, 6, '0') || '.txt', 'sha256', encode(sha256(n::text::bytea), 'hex'),
    'created_at', d.created_at + n * interval '1 millisecond')) AS r
  WHERE d.id = $1`;

/** Fills the dataset of a document with rows like it, of which only the list knows: more than could be uploaded in a test. */
export async function copyDocumentRow(
  service: Pick<ServiceProcess, 'folder'>,
  documentId: string,
  copies: number,
): Promise<void> {
  const urls = await connectToRunningEmbeddedPostgres(join(service.folder, 'data/postgres'));
  const url = Object.assign(new URL(urls!.superuserUrl), { pathname: '/kb' });
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(COPY, [documentId, copies]);
    await client.query('ANALYZE documents');
  } finally {
    await client.end();
  }
}
