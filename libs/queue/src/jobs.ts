import type { JsonObject } from '#libs/common';

/** The queues of the service and what their jobs carry. Every payload names tenant and request, so that a worker can rebuild the context. */
export interface JobPayloads {
  readonly ingestion: { readonly tenantId: string; readonly documentId: string; readonly requestId: string };
  readonly maintenance: { readonly tenantId: string; readonly taskId: string; readonly requestId: string };
}

export type QueueName = keyof JobPayloads;

export const QUEUE_NAMES = ['ingestion', 'maintenance'] as const satisfies readonly QueueName[];

/** A payload as the outbox keeps it. */
export function jobPayload<Q extends QueueName>(_queue: Q, payload: JobPayloads[Q]): JsonObject {
  return { ...payload };
}
