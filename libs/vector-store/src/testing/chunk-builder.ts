import { newId, type ChunkId, type DatasetId, type DocumentId, type TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ChunkMetadata } from '../filter.js';
import { indexRef, type IndexRef } from '../index-ref.js';
import type { ChunkTerms, IndexedChunk, IndexSpec } from '../vector-store.port.js';

export const SPACE = 'test-4';
export const SPEC: IndexSpec = { dimensions: 4, analysisVersion: 'test-1' };

/** The system acting in a tenant of its own. */
export function newContext(): RequestContext {
  return {
    tenantId: newId<TenantId>(),
    principal: { kind: 'system', permissions: new Set() },
    requestId: 'vector-store-test',
  };
}

/** An index that no other test uses. */
export function newIndex(ctx: RequestContext = newContext(), space: string = SPACE): IndexRef {
  return indexRef(ctx, newId<DatasetId>(), space);
}

export function buildMetadata(overrides: Partial<ChunkMetadata> = {}): ChunkMetadata {
  return {
    documentId: newId<DocumentId>(),
    documentName: 'report.txt',
    mediaType: 'text/plain',
    language: 'en',
    createdAt: '2026-01-02T03:04:05.000Z',
    tags: [],
    metadata: {},
    ...overrides,
  };
}

export type ChunkOverrides = Partial<Omit<IndexedChunk, 'terms'>> & { readonly terms?: Partial<ChunkTerms> };

/** A chunk of a document of its own unless told otherwise. */
export function buildChunk(overrides: ChunkOverrides = {}): IndexedChunk {
  const documentId = overrides.documentId ?? overrides.metadata?.documentId ?? newId<DocumentId>();
  return {
    chunkId: newId<ChunkId>(),
    ordinal: 0,
    generation: '1',
    vector: Float32Array.of(1, 0, 0, 0),
    metadata: buildMetadata({ documentId }),
    ...overrides,
    documentId,
    terms: { words: ['alpha'], grams: [], title: [], ...overrides.terms },
  };
}

/** Query terms of the words leg alone. */
export function words(...terms: string[]): ChunkTerms {
  return { words: terms, grams: [], title: [] };
}
