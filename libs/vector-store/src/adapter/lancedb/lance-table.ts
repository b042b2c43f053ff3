import type { Schema } from 'apache-arrow';
import type { Table } from '@lancedb/lancedb';
import type { DocumentId } from '#libs/common';
import type { ChunkMetadata, Filter } from '../../filter.js';
import type { ChunkSelection, IndexedChunk, StoredChunkId } from '../../vector-store.port.js';
import { CommitQueue, type CommitOperation } from './commit-queue.js';
import { DocumentCatalogue, type FilterPlan } from './document-catalogue.js';
import type { Lance } from './lance-module.js';
import { tableSchema, toArrowTable, type DocumentRow, type TableSpec } from './lance-rows.js';
import { IS_CHUNK, pieces, selectionPredicates, sqlAnd, sqlIn } from './lance-sql.js';
import type { LanceDbSettings } from './lancedb-options.js';
import { readIds } from './read-ids.js';
import { TableMaintenance, type MaintainedTable, type SerialRunner } from './table-maintenance.js';

/** Rows of one commit at most. */
const ROWS_PER_COMMIT = 2_000;

type TableOperation = CommitOperation &
  (
    | { readonly kind: 'write'; readonly chunks: readonly IndexedChunk[] }
    | { readonly kind: 'metadata'; readonly metadata: ChunkMetadata }
    | { readonly kind: 'remove'; readonly selection: ChunkSelection }
    | { readonly kind: 'exclusive'; readonly work: () => Promise<void> }
  );
type Kind<K extends TableOperation['kind']> = Extract<TableOperation, { kind: K }>;

/**
 * One open table: its commits go through a queue, which makes this object the table's only writer
 * (maintenance aside, which never changes what the rows say).
 */
export class LanceTable implements MaintainedTable {
  readonly maintenance: TableMaintenance;
  private readonly queue: CommitQueue<TableOperation>;
  private catalogueLoading: Promise<DocumentCatalogue> | undefined;
  /** Ours, not the one that LanceDB reads: that is made of the classes of its own copy of Arrow. */
  private readonly schema: Schema;
  private readers = 0;
  private rows = 0;
  /** How much its indexes take on the disk. */
  private indexBytesNow: number;

  constructor(
    readonly name: string,
    readonly spec: TableSpec,
    readonly table: Table,
    lance: Lance,
    settings: LanceDbSettings,
    /** How much its indexes took on the disk when it was opened. */
    readonly openedIndexBytes: number,
    inTurn: SerialRunner,
  ) {
    this.indexBytesNow = openedIndexBytes;
    this.schema = tableSchema(spec);
    this.queue = new CommitQueue((group) => this.commit(group), { gatherMs: settings.gatherMs, full: ROWS_PER_COMMIT });
    this.maintenance = new TableMaintenance(this, lance, settings, inTurn);
  }

  /** True when no one uses the table and nothing is left to do to it. */
  get resting(): boolean {
    return this.readers === 0 && !this.queue.busy && !this.maintenance.pending;
  }

  /** How much its indexes took when they were last looked at. */
  get indexBytes(): number {
    return this.indexBytesNow;
  }

  noteIndexBytes(bytes: number): void {
    this.indexBytesNow = bytes;
  }

  /** Keeps the table open until `release`. */
  retain(): void {
    this.readers += 1;
  }

  release(): void {
    this.readers -= 1;
  }

  write(chunks: readonly IndexedChunk[]): Promise<void> {
    return this.queue.add({ kind: 'write', size: chunks.length, chunks });
  }

  updateMetadata(metadata: ChunkMetadata): Promise<void> {
    return this.queue.add({ kind: 'metadata', size: 1, metadata });
  }

  remove(selection: ChunkSelection): Promise<void> {
    return this.queue.add({ kind: 'remove', size: 1, selection });
  }

  exclusively(work: () => Promise<void>): Promise<void> {
    return this.queue.add({ kind: 'exclusive', size: ROWS_PER_COMMIT, work });
  }

  async plan(filter: Filter | undefined): Promise<FilterPlan> {
    return filter === undefined ? { kind: 'everything' } : (await this.catalogue()).plan(filter);
  }

  /** Reads what an earlier process left; to be called once, before anything else. */
  async open(): Promise<this> {
    this.rows = await this.table.countRows();
    await this.maintenance.resume();
    return this;
  }

  /** True when there are this many chunks that a search by vector asks the index; without a scan for small tables. */
  async hasMoreChunksThan(limit: number, share = 1): Promise<boolean> {
    return this.rows * share > limit && (await this.countChunks()) * share > limit;
  }

  countChunks(): Promise<number> {
    return this.table.countRows(IS_CHUNK);
  }

  async *listIds(selection: ChunkSelection): AsyncGenerator<StoredChunkId> {
    for (const predicate of selectionPredicates(selection)) yield* this.idsWhere(predicate);
  }

  removeSuperseded(): Promise<void> {
    return this.exclusively(async () => {
      for (const predicate of (await this.catalogue()).takeSuperseded()) await this.table.delete(predicate);
    });
  }

  /** Waits for the writes in flight and for maintenance, then lets go of the files. */
  async close(): Promise<void> {
    await this.maintenance.close();
    await this.queue.idle();
    this.table.close();
  }

  private catalogue(): Promise<DocumentCatalogue> {
    this.catalogueLoading ??= DocumentCatalogue.load(this.table).catch((error: unknown) => {
      this.catalogueLoading = undefined;
      throw error;
    });
    return this.catalogueLoading;
  }

  private async commit(group: readonly TableOperation[]): Promise<void> {
    const only = <K extends TableOperation['kind']>(kind: K): Kind<K>[] =>
      group.filter((operation): operation is Kind<K> => operation.kind === kind);
    for (const { work } of only('exclusive')) await work();
    const written = only('write').flatMap((operation) => operation.chunks);
    if (written.length > 0) await this.commitRows(written);
    const changed = only('metadata').map((operation) => operation.metadata);
    if (changed.length > 0) await this.commitMetadata(changed);
    await this.commitRemovals(only('remove').map((operation) => operation.selection));
  }

  private async commitRows(chunks: readonly IndexedChunk[]): Promise<void> {
    const catalogue = await this.catalogue();
    const rows = new Map(chunks.map((chunk) => [rowKey(chunk), chunk]));
    const overwrites = await this.anyStored(rows, catalogue);
    const documents = await this.changedDocuments(
      chunks.map((chunk) => chunk.metadata),
      catalogue,
    );
    const data = toArrowTable(this.schema, [...rows.values()], documents);
    if (overwrites) {
      const merge = this.table.mergeInsert(['chunk_id', 'generation']);
      await merge.whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data);
    } else {
      await this.table.add(data);
    }
    for (const row of documents) catalogue.put(row);
    await this.noteCommit(rows.size);
  }

  /** Rows and their document's metadata appear in one commit, so a document that the catalogue does not know has no rows. */
  private async anyStored(rows: ReadonlyMap<string, IndexedChunk>, catalogue: DocumentCatalogue): Promise<boolean> {
    const known = [...rows.values()].filter((chunk) => catalogue.has(chunk.documentId));
    const generations = sqlIn('generation', new Set(known.map((chunk) => chunk.generation)));
    for (const documentIds of pieces(new Set(known.map((chunk) => chunk.documentId)))) {
      for await (const id of this.idsWhere(sqlAnd(sqlIn('document_id', documentIds), generations))) {
        if (rows.has(rowKey(id))) return true;
      }
    }
    return false;
  }

  private async commitMetadata(changes: readonly ChunkMetadata[]): Promise<void> {
    const catalogue = await this.catalogue();
    const known = changes.filter((metadata) => catalogue.has(metadata.documentId));
    const documents = await this.changedDocuments(known, catalogue);
    if (documents.length === 0) return;
    await this.table.add(toArrowTable(this.schema, [], documents));
    for (const row of documents) catalogue.put(row);
    await this.noteCommit(documents.length);
  }

  /** The last metadata of each document, where it differs from what is stored. Versions ascend, so the new rows hold. */
  private async changedDocuments(
    metadata: readonly ChunkMetadata[],
    catalogue: DocumentCatalogue,
  ): Promise<DocumentRow[]> {
    const last = new Map(metadata.map((one) => [one.documentId, one]));
    const changed = [...last.values()].filter((one) => !catalogue.holds(one.documentId, one));
    if (changed.length === 0) return [];
    const sequence = BigInt(await this.table.version());
    return changed.map((one) => ({ documentId: one.documentId, metadata: one, sequence }));
  }

  /** One selection per kind for all the group's removals; what holds no known document costs no commit. */
  private async commitRemovals(selections: readonly ChunkSelection[]): Promise<void> {
    if (selections.length === 0) return;
    const catalogue = await this.catalogue();
    if (selections.some((selection) => 'all' in selection)) {
      await this.table.delete('true');
      catalogue.clear();
    } else {
      const documentIds = selections.flatMap((one) => ('documentIds' in one ? one.documentIds : []));
      await this.removeDocuments(documentIds, catalogue);
      const generations = selections.flatMap((one) => ('generations' in one ? one.generations : []));
      const known = generations.filter(({ documentId }) => catalogue.has(documentId));
      await this.removeRows({ generations: known }, catalogue);
      await this.removeRows(
        { chunkIds: selections.flatMap((one) => ('chunkIds' in one ? one.chunkIds : [])) },
        catalogue,
      );
    }
    await this.noteCommit(0);
  }

  /** The documents' metadata are rows with their id too, and go in the same commit. */
  private async removeDocuments(documentIds: readonly DocumentId[], catalogue: DocumentCatalogue): Promise<void> {
    const known = documentIds.filter((documentId) => catalogue.has(documentId));
    for (const predicate of selectionPredicates({ documentIds: known })) await this.table.delete(predicate);
    for (const documentId of known) catalogue.delete(documentId);
  }

  private async removeRows(selection: ChunkSelection, catalogue: DocumentCatalogue): Promise<void> {
    const touched = new Set<DocumentId>();
    for await (const id of this.listIds(selection)) touched.add(id.documentId);
    if (touched.size === 0) return;
    for (const predicate of selectionPredicates(selection)) await this.table.delete(predicate);
    await this.forgetEmptied(touched, catalogue);
  }

  /** A document whose last row has gone takes its metadata along. */
  private async forgetEmptied(documentIds: ReadonlySet<DocumentId>, catalogue: DocumentCatalogue): Promise<void> {
    for (const piece of pieces(documentIds)) {
      const emptied = new Set(piece);
      for await (const id of this.idsWhere(sqlIn('document_id', piece))) emptied.delete(id.documentId);
      await this.removeDocuments([...emptied], catalogue);
    }
  }

  private idsWhere(predicate: string): AsyncGenerator<StoredChunkId> {
    return readIds(this.table.query().where(sqlAnd(IS_CHUNK, predicate)));
  }

  private async noteCommit(added: number): Promise<void> {
    this.rows = await this.table.countRows();
    this.maintenance.noteCommit(added, this.rows);
  }
}

function rowKey(id: StoredChunkId): string {
  return `${id.chunkId}/${id.generation}`;
}
