import type { ChunkMetadata, MetadataScalar, MetadataValue } from '#libs/vector-store';
import { columnsOf } from '#libs/database';
import { DocumentEntity, type DocumentRow } from './document.entity.js';

const NAMES = [
  'id',
  'name',
  'path',
  'archive_id',
  'media_type',
  'language',
  'created_at',
  'tags',
  'metadata',
] as const satisfies readonly (keyof DocumentRow)[];

/** The columns that filters read. No other file lists them. */
export type FilterFactsRow = Pick<DocumentRow, (typeof NAMES)[number]>;

/** Row type of a statement that selects `filterFactsOf`. */
export const FILTER_FACTS = columnsOf(DocumentEntity, ...NAMES);

/** The columns that filters read, as the list of a `SELECT`; `alias` names the table. */
export function filterFactsOf(alias: string): string {
  return NAMES.map((name) => `${alias}.${name}`).join(', ');
}

/**
 * The values of a document for filters. Nested metadata is flattened: `{"a":{"b":1}}` becomes `metadata.a.b`, and an empty list under
 * `metadata.a` so that the key exists.
 */
export function toFilterFacts(row: FilterFactsRow): ChunkMetadata {
  const metadata: Record<string, MetadataValue> = {};
  flatten(row.metadata, '', metadata);
  return {
    documentId: row.id,
    documentName: row.name,
    ...(row.path === null ? {} : { path: row.path }),
    ...(row.archive_id === null ? {} : { archiveId: row.archive_id }),
    mediaType: row.media_type,
    language: row.language === 'und' ? null : row.language,
    createdAt: row.created_at.toISOString(),
    tags: row.tags,
    metadata,
  };
}

function flatten(value: object, prefix: string, into: Record<string, MetadataValue>): void {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = prefix + key;
    if (isScalar(inner)) into[name] = inner;
    else if (Array.isArray(inner)) into[name] = inner.filter(isScalar);
    else {
      into[name] ??= [];
      flatten(inner as object, `${name}.`, into);
    }
  }
}

function isScalar(value: unknown): value is MetadataScalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
