import { randomFillSync } from 'node:crypto';

declare const brand: unique symbol;
/** A string that carries its meaning in the type, so that a document id cannot be passed as a dataset id. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

export type TenantId = Brand<string, 'TenantId'>;
export type AccountId = Brand<string, 'AccountId'>;
export type ApiKeyId = Brand<string, 'ApiKeyId'>;
export type DatasetId = Brand<string, 'DatasetId'>;
export type CategoryId = Brand<string, 'CategoryId'>;
export type DocumentId = Brand<string, 'DocumentId'>;
export type RevisionId = Brand<string, 'RevisionId'>;
export type ChunkSetId = Brand<string, 'ChunkSetId'>;
export type ChunkId = Brand<string, 'ChunkId'>;

/** The tenant that holds nothing: where a caller acts who named a tenant it does not belong to. */
export const NOWHERE_TENANT = '00000000-0000-0000-0000-000000000000' as TenantId;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for any UUID in its canonical text form, of any version. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

let lastMillis = 0;
let sequence = 0;

/** A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then a 12-bit counter that keeps ids of one process ascending, then randomness. */
export function newId<T extends string = string>(now: number = Date.now()): T {
  if (now > lastMillis) {
    lastMillis = now;
    sequence = 0;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMillis += 1;
      sequence = 0;
    }
  }
  const bytes = randomFillSync(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(lastMillis / 2 ** 32));
  view.setUint32(2, lastMillis % 2 ** 32);
  view.setUint16(6, 0x7000 | sequence);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as T;
}
