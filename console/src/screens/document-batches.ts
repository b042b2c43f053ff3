import { api, dataOf } from '../api/client';
import type { BatchResult, Deed } from './document-deeds';

/** Asks the service for a deed over at most 500 documents. */
export function sendBatch(deed: Deed, ids: readonly string[]): Promise<BatchResult> {
  const body = { document_ids: [...ids] };
  switch (deed.name) {
    case 'retry':
      return dataOf(api.POST('/api/v1/documents/batch/retry', { body }));
    case 'cancel':
      return dataOf(api.POST('/api/v1/documents/batch/cancel', { body }));
    case 'reingest':
      return dataOf(api.POST('/api/v1/documents/batch/reingest', { body }));
    case 'delete':
      return dataOf(api.POST('/api/v1/documents/batch/delete', { body }));
    case 'quarantine':
      return dataOf(api.POST('/api/v1/governance/quarantine', { body: { ...body, reason: deed.reason } }));
    case 'release':
      return dataOf(api.POST('/api/v1/governance/quarantine/release', { body }));
    case 'tag': {
      const patch = {
        ...(deed.add.length === 0 ? {} : { add_tags: [...deed.add] }),
        ...(deed.remove.length === 0 ? {} : { remove_tags: [...deed.remove] }),
      };
      return dataOf(api.POST('/api/v1/documents/batch/update', { body: { ...body, patch } }));
    }
  }
}
