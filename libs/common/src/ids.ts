import { v7 } from 'uuid';

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

/** A UUIDv7 (RFC 9562): Unix milliseconds, then a counter that keeps the ids of one process ascending, then randomness. */
export function newId<T extends string = string>(): T {
  return v7() as T;
}
