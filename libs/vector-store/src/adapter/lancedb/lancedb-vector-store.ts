import { access, constants } from 'node:fs/promises';
import { mapBounded, type DocumentId } from '#libs/common';
import type { FolderLock } from '#libs/process-lock';
import type { ChunkMetadata } from '../../filter.js';
import { isIndexRef, type IndexRef } from '../../index-ref.js';
import { vectorStoreErrors } from '../../vector-store.errors.js';
import {
  VectorStore,
  type CallOptions,
  type ChunkSelection,
  type IndexedChunk,
  type IndexSpec,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
  type VectorStoreCapabilities,
} from '../../vector-store.port.js';
import { mergeByScore } from '../merge-candidates.js';
import { checkChunks } from '../check-chunks.js';
import { guarded, type Operation } from './call-guard.js';
import type { LanceConnections } from './lance-connections.js';
import type { Lance } from './lance-module.js';
import { specText } from './lance-rows.js';
import { mergeLegs, searchLegs, searchNearest } from './lance-search.js';
import type { LanceTable } from './lance-table.js';
import type { LanceTables } from './lance-tables.js';
import type { LanceDbSettings } from './lancedb-options.js';

const MAX_BATCH_ROWS = 1_000;
/** Tables that one search reads at once. */
const TABLES_AT_ONCE = 4;

/** The embedded store: one LanceDB table per dataset and embedding space, in one folder that this process owns. */
export class LanceDbVectorStore extends VectorStore {
  readonly capabilities: VectorStoreCapabilities;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly lance: Lance,
    private readonly connections: LanceConnections,
    private readonly tables: LanceTables,
    private readonly lock: FolderLock,
    private readonly settings: LanceDbSettings,
  ) {
    super();
    this.capabilities = {
      kind: 'embedded',
      keyword: true,
      vector: true,
      maxBatchRows: MAX_BATCH_ROWS,
      exactVectorsBelow: settings.exactVectorsBelow,
      proposesByGrams: false,
      isInProcess: true,
    };
  }

  ensureIndex(index: IndexRef, spec: IndexSpec, options?: CallOptions): Promise<void> {
    return this.call('ensure_index', [index], options, async () => {
      const table = await this.tables.ensure(index, spec);
      table.release();
      const [expected, found] = [specText(spec), specText(table.spec)];
      if (found !== expected) throw vectorStoreErrors.schema_mismatch({ expected, found });
    });
  }

  async write(index: IndexRef, chunks: readonly IndexedChunk[], options?: CallOptions): Promise<void> {
    checkChunks(chunks, MAX_BATCH_ROWS);
    await this.call('write', [index], options, async () => {
      const table = await this.tables.retain(index);
      if (table === undefined) throw vectorStoreErrors.index_missing({ datasetId: index.datasetId });
      await held(table, async () => {
        for (const { vector } of chunks) requireDimensions(table, vector);
        if (chunks.length > 0) await table.write(chunks);
      });
    });
  }

  async updateMetadata(
    index: IndexRef,
    documentId: DocumentId,
    metadata: ChunkMetadata,
    options?: CallOptions,
  ): Promise<void> {
    if (metadata.documentId !== documentId) throw new RangeError('The metadata is that of another document');
    await this.call('update_metadata', [index], options, () =>
      this.withTable(index, undefined, (table) => table.updateMetadata(metadata)),
    );
  }

  remove(index: IndexRef, selection: ChunkSelection, options?: CallOptions): Promise<void> {
    return this.call('remove', [index], options, () =>
      this.withTable(index, undefined, (table) => table.remove(selection)),
    );
  }

  /** The deadline of `options` holds for finding the table; the signal is looked at between rows. */
  async *listIds(
    index: IndexRef,
    selection: ChunkSelection,
    options?: CallOptions,
  ): AsyncGenerator<StoredChunkId, void, undefined> {
    const table = await this.call('list_ids', [index], options, () => this.tables.retain(index));
    if (table === undefined) return;
    try {
      for await (const id of table.listIds(selection)) {
        options?.signal?.throwIfAborted();
        yield id;
      }
    } finally {
      table.release();
    }
  }

  count(index: IndexRef, options?: CallOptions): Promise<number> {
    return this.call('count', [index], options, () => this.withTable(index, 0, (table) => table.countChunks()));
  }

  dropIndex(index: IndexRef, options?: CallOptions): Promise<void> {
    return this.call('drop_index', [index], options, () => this.tables.drop(index));
  }

  searchKeyword(
    indexes: readonly IndexRef[],
    query: KeywordQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    return this.search('search_keyword', indexes, options, async (timeoutMs) => {
      const answers = await this.acrossTables(indexes, (table) => searchLegs(this.lance, table, query, timeoutMs));
      return mergeLegs(answers, query.limit);
    });
  }

  searchVector(
    indexes: readonly IndexRef[],
    query: VectorQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    return this.search('search_vector', indexes, options, async (timeoutMs) => {
      const answers = await this.acrossTables(indexes, async (table) => {
        requireDimensions(table, query.vector);
        if (query.vector.every((value) => value === 0)) return [];
        return await searchNearest(table, query, this.settings.exactVectorsBelow, timeoutMs);
      });
      return mergeByScore(answers, query.limit);
    });
  }

  /** Once more from the latest version when the one that was read is gone. */
  private search<T>(
    operation: Operation,
    indexes: readonly IndexRef[],
    options: CallOptions | undefined,
    work: (timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    return this.call(operation, indexes, options, (timeoutMs) =>
      work(timeoutMs).catch((error: unknown) => {
        if (!isFileGone(error)) throw error;
        return work(timeoutMs);
      }),
    );
  }

  /** Whether the folder is there to be read. LanceDB's own list of tables reads all of it, even for one name. */
  ping(options?: CallOptions): Promise<void> {
    return this.call('ping', [], options, () => access(this.settings.directory, constants.R_OK | constants.X_OK));
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      await this.tables.close();
      await this.connections.close();
      await this.lock.release();
    })();
    return this.closing;
  }

  private async call<T>(
    operation: Operation,
    indexes: readonly IndexRef[],
    options: CallOptions | undefined,
    work: (timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    if (!indexes.every(isIndexRef)) throw new TypeError('An index reference comes from indexRef() only');
    if (this.closing !== undefined) throw vectorStoreErrors.unavailable({ operation, reason: 'it is closed' });
    return await guarded(operation, options, this.settings.defaultDeadlineMs, work);
  }

  private acrossTables<T>(indexes: readonly IndexRef[], search: (table: LanceTable) => Promise<T[]>): Promise<T[][]> {
    return mapBounded(distinct(indexes), TABLES_AT_ONCE, (index) => this.searchTable(index, search));
  }

  /** A table may be dropped under a search, or its replaced files removed: the second look finds it missing, or the new files. */
  private async searchTable<T>(index: IndexRef, search: (table: LanceTable) => Promise<T[]>): Promise<T[]> {
    try {
      return await this.withTable(index, [], search);
    } catch (error) {
      if (!isReadFailure(error)) throw error;
      return await this.withTable(index, [], search);
    }
  }

  private async withTable<T>(index: IndexRef, missing: T, work: (table: LanceTable) => Promise<T>): Promise<T> {
    const table = await this.tables.retain(index);
    return table === undefined ? missing : await held(table, () => work(table));
  }
}

async function held<T>(table: LanceTable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    table.release();
  }
}

function requireDimensions(table: LanceTable, vector: Float32Array): void {
  if (vector.length === table.spec.dimensions) return;
  throw vectorStoreErrors.schema_mismatch({ expected: `${vector.length} dimensions`, found: specText(table.spec) });
}

function distinct(indexes: readonly IndexRef[]): IndexRef[] {
  return [...new Map(indexes.map((index) => [index.key, index])).values()];
}

/** LanceDB throws plain errors; ours have a code. */
function isReadFailure(error: unknown): boolean {
  return error instanceof Error && !('code' in error) && !/timed? ?out/i.test(error.message);
}

function isFileGone(error: unknown): boolean {
  return error instanceof Error && /not found: .*\.lance/i.test(error.message);
}
