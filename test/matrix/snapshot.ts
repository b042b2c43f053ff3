import { until } from '#testing/until';
import type { ApiClient, Page } from '../support/api-client.js';
import type { World } from './world.js';

type Row = Readonly<Record<string, unknown>>;

/** Fields that change without anybody's request. */
const VOLATILE = new Set([
  'last_used_at',
  'document_counts',
  'chunk_count',
  'status',
  'error',
  'error_message',
  'current_stage',
  'processing_progress',
  'searchable',
  'attempt',
  'updated_at',
  'warnings',
  'waiting_reason',
]);

const ENDED = new Set(['completed', 'failed']);

/** Everything that the owner has, as far as lists show it: what no one else may change. */
export async function snapshot(world: World): Promise<unknown> {
  const { client, tenantId } = world.owner;
  const lists = ['/datasets/', '/documents/', '/auth/api-keys', '/auth/invitations', '/tenants', '/webhooks'];
  lists.push('/evaluations/case-sets', '/conversations');
  lists.push(`/tenants/${tenantId}/members`, `/tenants/${tenantId}/invitations`);
  const pages = [];
  await until(() => areSetsMade(client), {
    what: 'case sets that are made of documents',
    withinMs: 60_000,
    everyMs: 50,
  });
  for (const list of lists) {
    const { items, total } = await client.get<Page<Row>>(`${list}?limit=100`);
    pages.push({ list, total, items: items.map(withoutVolatile) });
  }
  return { pages, categories: await client.get('/datasets/categories/tree') };
}

/** No case set gets cases any more because someone asked for it before. */
async function areSetsMade(client: ApiClient): Promise<boolean> {
  const { items } = await client.get<Page<{ generation: { status: string } | null }>>(
    '/evaluations/case-sets?limit=100',
  );
  return items.every(({ generation }) => generation === null || ENDED.has(generation.status));
}

function withoutVolatile(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !VOLATILE.has(name)));
}
