import type { Schema } from '../api/client';
import { t } from '../texts/i18n';

/** What a key can be allowed to do. */
export type Scope = Schema<'CreateApiKeyDto'>['scopes'][number];

export const READING: readonly Scope[] = [
  'datasets:read',
  'documents:read',
  'retrieval:search',
  'chat:complete',
  'tables:query',
];
/** From what most keys need to what few do. */
const ORDER: Readonly<Record<Scope, number>> = {
  'datasets:read': 1,
  'documents:read': 2,
  'retrieval:search': 3,
  'chat:complete': 4,
  'tables:query': 5,
  'datasets:write': 6,
  'documents:write': 7,
  'policies:write': 8,
  'scans:run': 9,
  'kg:run': 10,
  'evaluations:run': 11,
  'governance:read': 12,
  'governance:write': 13,
  'audit:read': 14,
  'conversations:review': 15,
  'webhooks:manage': 16,
  'members:manage': 17,
  'tenant:observability': 18,
  'tenant:manage': 19,
};
export const SCOPES = (Object.keys(ORDER) as Scope[]).toSorted((left, right) => ORDER[left] - ORDER[right]);

/** A scope in words; one that this console does not know yet as it is. */
export function scopeInWords(scope: string): string {
  const known = SCOPES.find((one) => one === scope);
  return known === undefined ? scope : t(`scope.${known}`);
}
