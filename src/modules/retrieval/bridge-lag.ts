import { matchesFilter, type ChunkMetadata, type Filter } from '#libs/vector-store';

/**
 * A filter that gives of a store whose metadata lag behind what `filter` gives of the present ones. `unsynced`: what is true now of
 * every document of which the store holds something else.
 */
export function bridgeLag(filter: Filter, unsynced: readonly ChunkMetadata[]): Filter {
  if (unsynced.length === 0) return filter;
  const others: Filter = { type: 'nin', key: 'document_id', value: unsynced.map(({ documentId }) => documentId) };
  const matching = unsynced.filter((document) => matchesFilter(filter, document)).map(({ documentId }) => documentId);
  const synced: Filter = { type: 'and', filters: [others, filter] };
  if (matching.length === 0) return synced;
  return { type: 'or', filters: [synced, { type: 'in', key: 'document_id', value: matching }] };
}
