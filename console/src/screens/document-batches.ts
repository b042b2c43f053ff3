import { api, dataOf } from '../api/client';
import type { Departure } from '../api/departure';
import { batchesOf, type BatchResult, type BatchAction } from './batch-actions';

/** Asks the service for an action over at most 500 documents. */
export function sendBatch(action: BatchAction, ids: readonly string[]): Promise<BatchResult> {
  const body = { document_ids: [...ids] };
  switch (action.name) {
    case 'retry':
      return dataOf(api.POST('/api/v1/documents/batch/retry', { body }));
    case 'cancel':
      return dataOf(api.POST('/api/v1/documents/batch/cancel', { body }));
    case 'reingest':
      return dataOf(api.POST('/api/v1/documents/batch/reingest', { body }));
    case 'delete':
      return dataOf(api.POST('/api/v1/documents/batch/delete', { body }));
    case 'quarantine':
      return dataOf(api.POST('/api/v1/governance/quarantine', { body: { ...body, reason: action.reason } }));
    case 'release':
      return dataOf(api.POST('/api/v1/governance/quarantine/release', { body }));
    case 'tag': {
      const patch = {
        ...(action.add.length === 0 ? {} : { add_tags: [...action.add] }),
        ...(action.remove.length === 0 ? {} : { remove_tags: [...action.remove] }),
      };
      return dataOf(api.POST('/api/v1/documents/batch/update', { body: { ...body, patch } }));
    }
  }
}

/** The requests that delete documents, however many, where the page goes away. */
export const deletionsOf = (ids: readonly string[]): readonly Departure[] =>
  batchesOf(ids).map((batch) => ({
    method: 'POST',
    path: 'api/v1/documents/batch/delete',
    body: { document_ids: batch },
  }));
