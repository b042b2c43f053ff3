import type { Page } from '../support/api-client.js';
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

/** Everything that the owner has, as far as lists show it: what nobody else may change. */
export async function snapshot(world: World): Promise<unknown> {
  const { client, tenantId } = world.owner;
  const lists = ['/datasets/', '/documents/', '/auth/api-keys', '/auth/invitations', '/tenants', '/webhooks'];
  lists.push('/evaluations/case-sets');
  lists.push(`/tenants/${tenantId}/members`, `/tenants/${tenantId}/invitations`);
  const pages = [];
  for (const list of lists) {
    const { items, total } = await client.get<Page<Row>>(`${list}?limit=100`);
    pages.push({ list, total, items: items.map(withoutVolatile) });
  }
  return { pages, categories: await client.get('/datasets/categories/tree') };
}

function withoutVolatile(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !VOLATILE.has(name)));
}
