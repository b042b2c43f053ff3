import { decodeTerms, storeTerms } from '#libs/text';
import type { ChunkMetadata, IndexedChunk, MetadataScalar, MetadataValue } from '#libs/vector-store';
import type { DocumentRow } from '../documents/index.js';
import { vectorOf, type ChunkToIndex } from './chunk-set.repository.js';

type DocumentFacts = Pick<DocumentRow, 'id' | 'name' | 'media_type' | 'language' | 'created_at' | 'tags' | 'metadata'>;

/** A chunk as the vector store keeps it. */
export function toIndexedChunk(document: DocumentFacts, generation: string, row: ChunkToIndex): IndexedChunk {
  return {
    chunkId: row.id,
    documentId: document.id,
    ordinal: row.ordinal,
    generation,
    terms: storeTerms(decodeTerms(row.terms)),
    vector: vectorOf(row.vector),
    metadata: toChunkMetadata(document),
  };
}

/** What filters see of a document. Nested metadata is flattened: `{"a":{"b":1}}` is `metadata.a.b`. */
export function toChunkMetadata(document: DocumentFacts): ChunkMetadata {
  const metadata: Record<string, MetadataValue> = {};
  flatten(document.metadata, '', metadata);
  return {
    documentId: document.id,
    documentName: document.name,
    mediaType: document.media_type,
    language: document.language === 'und' ? null : document.language,
    createdAt: document.created_at.toISOString(),
    tags: document.tags,
    metadata,
  };
}

function flatten(value: object, prefix: string, into: Record<string, MetadataValue>): void {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = prefix + key;
    if (isScalar(inner)) into[name] = inner;
    else if (Array.isArray(inner)) into[name] = inner.filter(isScalar);
    else flatten(inner as object, `${name}.`, into);
  }
}

function isScalar(value: unknown): value is MetadataScalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
