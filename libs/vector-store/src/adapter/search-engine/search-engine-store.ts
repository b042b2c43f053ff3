import type { DocumentId } from '#libs/common';
import { checkChunks } from '../check-chunks.js';
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
  type WriteRefusal,
  type VectorStoreCapabilities,
} from '../../vector-store.port.js';
import { EXACT_VECTORS_BELOW, searchLegs, searchNearest } from './candidate-search.js';
import { EngineApi, requireWhole, type SearchAnswer } from './engine-api.js';
import { engineCall, type EngineCall } from './engine-call.js';
import type { EngineDialect } from './engine-dialect.js';
import { EngineFailure, type EngineTransport } from './engine-transport.js';
import { findWriteBlock, requireAnswer } from './engine-health.js';
import { EngineRows } from './engine-rows.js';
import { IndexCatalogue } from './index-catalogue.js';
import { aliasOf, parseRowKey, specText } from './index-layout.js';
import { RowScanner } from './row-scanner.js';

const MAX_BATCH_ROWS = 1_000;
/** For a call that names no deadline, in milliseconds. */
const DEFAULT_DEADLINE_MS = 60_000;

/** One index per dataset and embedding space, behind an alias. Several processes may use it at once. */
export class SearchEngineStore extends VectorStore {
  readonly capabilities: VectorStoreCapabilities;
  private readonly api: EngineApi;
  private readonly catalogue: IndexCatalogue;
  private readonly scanner: RowScanner;
  private readonly rows: EngineRows;
  private readonly running = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  /** `prefix` begins the name of every index, so that installations can share a cluster. */
  constructor(
    transport: EngineTransport,
    private readonly dialect: EngineDialect,
    private readonly prefix: string,
  ) {
    super();
    this.api = new EngineApi(transport);
    this.catalogue = new IndexCatalogue(this.api, dialect);
    this.scanner = new RowScanner(this.api, dialect);
    this.rows = new EngineRows(this.api, this.catalogue, this.scanner);
    this.capabilities = {
      kind: dialect.kind,
      keyword: true,
      vector: true,
      maxBatchRows: MAX_BATCH_ROWS,
      exactVectorsBelow: EXACT_VECTORS_BELOW,
    };
  }

  ensureIndex(index: IndexRef, spec: IndexSpec, options?: CallOptions): Promise<void> {
    return this.call('ensure_index', [index], options, async (call, [alias]) => {
      const found = specText(await this.catalogue.ensure(call, alias!, spec));
      const expected = specText(spec);
      if (found !== expected) throw vectorStoreErrors.schema_mismatch({ expected, found });
    });
  }

  async write(index: IndexRef, chunks: readonly IndexedChunk[], options?: CallOptions): Promise<void> {
    checkChunks(chunks, MAX_BATCH_ROWS);
    await this.call('write', [index], options, async (call, [alias]) => {
      const meta = await this.catalogue.meta(call, alias!);
      if (meta === undefined) throw vectorStoreErrors.index_missing({ datasetId: index.datasetId });
      await this.rows.write(call, { alias: alias!, datasetId: index.datasetId }, meta, chunks);
    });
  }

  async updateMetadata(
    index: IndexRef,
    documentId: DocumentId,
    metadata: ChunkMetadata,
    options?: CallOptions,
  ): Promise<void> {
    if (metadata.documentId !== documentId) throw new RangeError('The metadata is that of another document');
    await this.call('update_metadata', [index], options, (call, [alias]) =>
      this.rows.updateMetadata(call, alias!, metadata),
    );
  }

  remove(index: IndexRef, selection: ChunkSelection, options?: CallOptions): Promise<void> {
    return this.call('remove', [index], options, (call, [alias]) => this.rows.remove(call, alias!, selection));
  }

  /** The deadline of `options` holds for each page that is read. */
  async *listIds(
    index: IndexRef,
    selection: ChunkSelection,
    options?: CallOptions,
  ): AsyncGenerator<StoredChunkId, void, undefined> {
    const run = <T>(work: (call: EngineCall) => Promise<T>): Promise<T> =>
      this.call('list_ids', [index], options, (call) => work(call));
    await run((call) => this.scanner.refresh(call, this.aliasOf(index)));
    for await (const page of this.scanner.keys(this.aliasOf(index), selection, run)) {
      for (const key of page) {
        options?.signal?.throwIfAborted();
        yield parseRowKey(key);
      }
    }
  }

  count(index: IndexRef, options?: CallOptions): Promise<number> {
    return this.call('count', [index], options, async (call, [alias]) => {
      const request = { method: 'GET', path: `/${alias}/_count` } as const;
      const answer = await this.api.send<SearchAnswer & { count: number }>(call, request, [404]);
      if (answer.status === 404) return 0;
      requireWhole(answer.body);
      return answer.body.count;
    });
  }

  dropIndex(index: IndexRef, options?: CallOptions): Promise<void> {
    return this.call('drop_index', [index], options, (call, [alias]) => this.catalogue.drop(call, alias!));
  }

  searchKeyword(
    indexes: readonly IndexRef[],
    query: KeywordQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    return this.call('search_keyword', indexes, options, async (call, aliases) =>
      aliases.length === 0 ? [] : await searchLegs(this.api, call, aliases, query),
    );
  }

  searchVector(
    indexes: readonly IndexRef[],
    query: VectorQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    return this.call('search_vector', indexes, options, async (call, aliases) => {
      await this.requireDimensions(call, aliases, query.vector.length);
      if (query.vector.every((value) => value === 0)) return [];
      const rows = await this.catalogue.rows(call, aliases);
      try {
        return await searchNearest(this.api, call, rows, query, this.dialect);
      } catch (error) {
        // Made again for another embedding by another process, which only the engine knew.
        if (error instanceof EngineFailure && error.status === 400) {
          for (const alias of aliases) this.catalogue.forget(alias);
          await this.requireDimensions(call, aliases, query.vector.length);
        }
        throw error;
      }
    });
  }

  ping(options?: CallOptions): Promise<void> {
    return this.call('ping', [], options, (call) => requireAnswer(this.api, call));
  }

  override refusesWrites(options?: CallOptions): Promise<WriteRefusal | null> {
    return this.call('refuses_writes', [], options, (call) => findWriteBlock(this.api, call, this.prefix));
  }

  close(): Promise<void> {
    this.closing ??= Promise.allSettled(this.running).then(() => this.api.close());
    return this.closing;
  }

  private aliasOf(index: IndexRef): string {
    return aliasOf(this.prefix, index);
  }

  private async requireDimensions(call: EngineCall, aliases: readonly string[], dimensions: number): Promise<void> {
    for (const alias of aliases) {
      const meta = await this.catalogue.meta(call, alias);
      if (meta === undefined || meta.dimensions === dimensions) continue;
      throw vectorStoreErrors.schema_mismatch({ expected: `${dimensions} dimensions`, found: specText(meta) });
    }
  }

  private async call<T>(
    operation: string,
    indexes: readonly IndexRef[],
    options: CallOptions | undefined,
    work: (call: EngineCall, aliases: readonly string[]) => Promise<T>,
  ): Promise<T> {
    if (!indexes.every(isIndexRef)) throw new TypeError('An index reference comes from indexRef() only');
    if (this.closing !== undefined) throw vectorStoreErrors.unavailable({ operation, reason: 'it is closed' });
    const aliases = [...new Set(indexes.map((index) => this.aliasOf(index)))];
    const running = engineCall(operation, options, DEFAULT_DEADLINE_MS, (call) => work(call, aliases));
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }
}
