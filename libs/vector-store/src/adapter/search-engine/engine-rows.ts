import type { DatasetId } from '#libs/common';
import type { ChunkMetadata } from '../../filter.js';
import { vectorStoreErrors } from '../../vector-store.errors.js';
import type { ChunkSelection, IndexedChunk, IndexSpec } from '../../vector-store.port.js';
import { BulkWriter, deleteItem, indexItem, updateItem } from './bulk-writer.js';
import type { EngineApi } from './engine-api.js';
import type { EngineCall } from './engine-call.js';
import type { EngineFailure } from './engine-transport.js';
import { factTerms } from './filter-facts.js';
import { FACTS_FIELD } from './filter-query.js';
import type { IndexCatalogue } from './index-catalogue.js';
import { rowBody, rowKey, specText } from './index-layout.js';
import type { RowScanner } from './row-scanner.js';

/** The index that rows go to. */
export interface RowTarget {
  readonly alias: string;
  readonly datasetId: DatasetId;
}

/** Writes, changes and removes rows. */
export class EngineRows {
  private readonly bulk: BulkWriter;

  constructor(
    api: EngineApi,
    private readonly catalogue: IndexCatalogue,
    private readonly scanner: RowScanner,
  ) {
    this.bulk = new BulkWriter(api);
  }

  /** Of rows with the same key the last holds. When the engine refuses one, those that were new are taken back. */
  async write(call: EngineCall, target: RowTarget, made: IndexSpec, chunks: readonly IndexedChunk[]): Promise<void> {
    for (const { vector } of chunks) {
      if (vector.length !== made.dimensions) throw mismatch(vector.length, made);
    }
    const last = new Map(chunks.map((chunk) => [rowKey(chunk), chunk]));
    const items = Array.from(last, ([key, chunk]) => indexItem(key, rowBody(chunk)));
    const { created, refused } = await this.bulk.run(call, target.alias, items);
    this.catalogue.grow(target.alias, created.length);
    if (refused === undefined) return;
    if (created.length > 0) await this.bulk.run(call, target.alias, created.map(deleteItem));
    throw await this.explain(call, target, chunks, refused);
  }

  async updateMetadata(call: EngineCall, alias: string, metadata: ChunkMetadata): Promise<void> {
    const fields = { [FACTS_FIELD]: factTerms(metadata) };
    const selection = { documentIds: [metadata.documentId] };
    await this.forEachPage(call, alias, selection, (keys) => keys.map((key) => updateItem(key, fields)));
  }

  async remove(call: EngineCall, alias: string, selection: ChunkSelection): Promise<void> {
    await this.forEachPage(call, alias, selection, (keys) => keys.map(deleteItem));
  }

  /** A row that is not readable yet would be missed, so the index is refreshed first. */
  private async forEachPage(
    call: EngineCall,
    alias: string,
    selection: ChunkSelection,
    toItems: (keys: readonly string[]) => ReturnType<typeof deleteItem>[],
  ): Promise<void> {
    await this.scanner.refresh(call, alias);
    for await (const keys of this.scanner.keys(alias, selection, (work) => work(call))) {
      const { refused } = await this.bulk.run(call, alias, toItems(keys));
      // Dropped while its rows were read: then they are gone, as was asked.
      if (refused?.type === 'index_not_found_exception') return;
      if (refused !== undefined) throw refused;
    }
  }

  /** The index may have been dropped, or made again for another embedding, since this process last looked. */
  private async explain(
    call: EngineCall,
    { alias, datasetId }: RowTarget,
    chunks: readonly IndexedChunk[],
    refused: EngineFailure,
  ): Promise<Error> {
    if (refused.status !== 400 && refused.status !== 404) return refused;
    const found = await this.catalogue.look(call, alias);
    if (found === undefined) return vectorStoreErrors.index_missing({ datasetId });
    const other = chunks.find(({ vector }) => vector.length !== found.dimensions);
    return other === undefined ? refused : mismatch(other.vector.length, found);
  }
}

function mismatch(dimensions: number, made: IndexSpec): Error {
  return vectorStoreErrors.schema_mismatch({ expected: `${dimensions} dimensions`, found: specText(made) });
}
