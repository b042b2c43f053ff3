import { createHash } from 'node:crypto';
import type { ChunkId, DocumentId, JsonObject } from '#libs/common';
import type { IndexRef } from '../../index-ref.js';
import type { ChunkTerms, IndexedChunk, IndexSpec, StoredChunkId } from '../../vector-store.port.js';
import type { EngineDialect } from './engine-dialect.js';
import { factTerms } from './filter-facts.js';
import { FACTS_FIELD } from './filter-query.js';
import { safeTerm } from './safe-term.js';

/** Version of the fields below; an index of another layout counts as one of another specification. */
const LAYOUT = 1;
const SPACE_NAME_LENGTH = 40;

/** The fields of text: one per leg, asked each for itself. */
export const TERM_FIELDS = ['words', 'grams', 'title'] as const satisfies readonly (keyof ChunkTerms)[];
export const VECTOR_FIELD = 'embedding';
/** True of the rows that have a direction. As a filter of a vector search it also makes a small index be compared row by row. */
export const HAS_VECTOR_FIELD = 'has_embedding';
/** `chunk/generation/document`: says all of a row that a search answers with, sorts by chunk and generation, and is unique. */
export const KEY_FIELD = 'row_key';
export const DOCUMENT_FIELD = 'document_id';
export const CHUNK_FIELD = 'chunk_id';
/** `document/generation`, so that a list of pairs is one `terms` query. */
export const GENERATION_FIELD = 'document_generation';

export interface IndexMeta extends IndexSpec {
  readonly layout: number;
}

/** The name by which an index is used. It depends on tenant, dataset and space alone; two of them never share one. */
export function aliasOf(prefix: string, index: IndexRef): string {
  const space = index.spaceId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '-')
    .slice(0, SPACE_NAME_LENGTH);
  const digest = createHash('sha256').update(index.spaceId).digest('hex').slice(0, 8);
  return `${prefix}-${index.tenantId}-${index.datasetId}-${space}-${digest}`;
}

/** The index behind an alias in this version of the layout; a later version can fill another one and move the alias. */
export function indexNameOf(alias: string): string {
  return `${alias}-v${LAYOUT}`;
}

/** What makes an index together with its alias, in one step. */
export function indexBody(alias: string, spec: IndexSpec, dialect: EngineDialect): object {
  const keyword = { type: 'keyword', norms: false };
  const filterOnly = { ...keyword, doc_values: false };
  // How often a term occurs counts, where it is does not.
  const terms = { type: 'text', analyzer: 'whitespace', index_options: 'freqs' };
  const meta: IndexMeta = { dimensions: spec.dimensions, analysisVersion: spec.analysisVersion, layout: LAYOUT };
  return {
    aliases: { [alias]: {} },
    settings: {
      // One shard keeps a dataset's statistics whole; a cluster of several nodes keeps a copy.
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: '1s',
      ...dialect.indexSettings,
    },
    mappings: {
      dynamic: 'strict',
      _meta: meta,
      properties: {
        [KEY_FIELD]: keyword,
        [CHUNK_FIELD]: filterOnly,
        [DOCUMENT_FIELD]: filterOnly,
        [GENERATION_FIELD]: filterOnly,
        [FACTS_FIELD]: filterOnly,
        [HAS_VECTOR_FIELD]: { type: 'boolean', doc_values: false },
        ...Object.fromEntries(TERM_FIELDS.map((field) => [field, terms])),
        [VECTOR_FIELD]: dialect.vectorField(spec.dimensions),
      },
    },
  };
}

/** Whether an index fits, as text to compare and to show. */
export function specText(spec: IndexSpec & Partial<IndexMeta>): string {
  return `${spec.dimensions} dimensions, analysis ${spec.analysisVersion}, layout ${spec.layout ?? LAYOUT}`;
}

/** The id of a row in its index. The document's id is last: the first two order rows as ties are broken. */
export function rowKey(row: StoredChunkId): string {
  return `${row.chunkId}/${row.generation}/${row.documentId}`;
}

export function parseRowKey(key: string): StoredChunkId {
  const [chunkId = '', generation = '', documentId = ''] = key.split('/');
  return { chunkId: chunkId as ChunkId, documentId: documentId as DocumentId, generation };
}

export function generationKey(row: Pick<StoredChunkId, 'documentId' | 'generation'>): string {
  return `${row.documentId}/${row.generation}`;
}

/** A chunk as the engine keeps it. */
export function rowBody(chunk: IndexedChunk): JsonObject {
  const hasVector = chunk.vector.some((value) => value !== 0);
  return {
    [KEY_FIELD]: rowKey(chunk),
    [CHUNK_FIELD]: chunk.chunkId,
    [DOCUMENT_FIELD]: chunk.documentId,
    [GENERATION_FIELD]: generationKey(chunk),
    [FACTS_FIELD]: factTerms(chunk.metadata),
    ...Object.fromEntries(TERM_FIELDS.map((field) => [field, chunk.terms[field].map(safeTerm).join(' ')])),
    [HAS_VECTOR_FIELD]: hasVector,
    ...(hasVector && { [VECTOR_FIELD]: decimals(chunk.vector) }),
  };
}

/** Nine significant digits say a 32-bit float exactly; the digits of its value as a double would be twice as many. */
export function decimals(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Number(value.toPrecision(9)));
}
