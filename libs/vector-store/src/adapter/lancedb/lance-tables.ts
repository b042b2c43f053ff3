import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexRef } from '../../index-ref.js';
import type { IndexSpec } from '../../vector-store.port.js';
import { folderSize, indexFolder } from './folder-size.js';
import type { LanceConnections } from './lance-connections.js';
import type { Lance } from './lance-module.js';
import { readSpec, tableSchema, TERM_COLUMNS } from './lance-rows.js';
import { LanceTable } from './lance-table.js';
import type { LanceDbSettings } from './lancedb-options.js';
import type { SerialRunner } from './table-maintenance.js';

const SUFFIX = '.lance';
/** Tables being made or removed; what a killed process left of them goes at the next start. */
const SCRATCH = 'scratch-';
/** A token longer than this, in bytes, would be left out of the text index; terms have at most 64 code points of 4 bytes. */
const MAX_TOKEN_BYTES = 1_024;

/** The open tables of a store, the least recently used first; makes, opens, closes and removes them, one step per table at a time. */
export class LanceTables {
  private readonly open = new Map<string, LanceTable>();
  private readonly steps = new Map<string, Promise<unknown>>();
  private maintenanceTail: Promise<void> = Promise.resolve();

  constructor(
    private readonly lance: Lance,
    private readonly connections: LanceConnections,
    private readonly settings: LanceDbSettings,
  ) {}

  /** Removes half-made and half-removed tables; for the start only. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.settings.directory)) {
      if (name.startsWith(SCRATCH)) await rm(this.path(name), { recursive: true, force: true });
    }
  }

  /** The table, held open until `release` is called on it; undefined when there is none. */
  retain(index: IndexRef): Promise<LanceTable | undefined> {
    const name = tableName(index);
    return this.inStep(name, async () => {
      const table = await this.opened(name);
      if (table === undefined) return undefined;
      table.retain();
      this.open.delete(name);
      this.open.set(name, table);
      return table;
    });
  }

  /** As `retain`; makes the table when there is none. */
  ensure(index: IndexRef, spec: IndexSpec): Promise<LanceTable> {
    const name = tableName(index);
    return this.inStep(name, async () => {
      let table = await this.opened(name);
      if (table === undefined) {
        await this.make(name, spec);
        table = (await this.openStored(name))!;
      }
      table.retain();
      return table;
    });
  }

  /** Removes the table at one stroke, by a rename; what still reads it fails and finds it missing when it looks again. */
  drop(index: IndexRef): Promise<void> {
    const name = tableName(index);
    return this.inStep(name, async () => {
      const table = this.open.get(name);
      this.open.delete(name);
      await table?.close();
      if (!(await exists(this.path(name + SUFFIX)))) return;
      const grave = this.path(`${SCRATCH}${randomUUID()}`);
      await rename(this.path(name + SUFFIX), grave);
      await rm(grave, { recursive: true, force: true });
    });
  }

  /** Closes all tables after their writes. */
  async close(): Promise<void> {
    await Promise.allSettled(this.steps.values());
    await Promise.all([...this.open.values()].map((table) => table.close()));
    this.open.clear();
  }

  /** A table whose indexes have outgrown the small cache is opened again when it rests. */
  private async opened(name: string): Promise<LanceTable | undefined> {
    const table = this.open.get(name);
    if (table === undefined) return this.openStored(name);
    const isOutgrown = this.connections.isLarge(table.indexBytes) && !this.connections.isLarge(table.openedIndexBytes);
    if (!isOutgrown || !table.resting) return table;
    this.open.delete(name);
    await table.close();
    return this.openStored(name);
  }

  private async openStored(name: string): Promise<LanceTable | undefined> {
    if (!(await exists(this.path(name + SUFFIX)))) return undefined;
    const indexBytes = await folderSize(indexFolder(this.settings.directory, name));
    const connection = await this.connections.of(this.connections.isLarge(indexBytes));
    const stored = await connection.openTable(name);
    const spec = readSpec((await stored.schema()).metadata);
    const inTurn: SerialRunner = (work) => this.inTurn(work);
    const table = new LanceTable(name, spec, stored, this.lance, this.settings, indexBytes, inTurn);
    this.open.set(name, await table.open());
    await this.closeResting();
    return table;
  }

  /** Made under another name and renamed when complete: a table that can be seen has all its text indexes. */
  private async make(name: string, spec: IndexSpec): Promise<void> {
    const draft = `${SCRATCH}${randomUUID()}`;
    const table = await this.connections.small.createEmptyTable(draft, tableSchema({ ...spec, tokens: 'short' }));
    for (const column of TERM_COLUMNS) {
      await table.createIndex(column, {
        config: this.lance.Index.fts({
          baseTokenizer: 'whitespace',
          lowercase: false,
          stem: false,
          removeStopWords: false,
          asciiFolding: false,
          withPosition: false,
          maxTokenLength: MAX_TOKEN_BYTES,
        }),
      });
    }
    table.close();
    await rename(this.path(draft + SUFFIX), this.path(name + SUFFIX));
  }

  /** Closes what has rested longest while more tables are open than allowed; busy ones stay. */
  private async closeResting(): Promise<void> {
    let tooMany = this.open.size - this.settings.maxOpenTables;
    for (const [name, table] of this.open) {
      if (tooMany <= 0) return;
      if (!table.resting || this.steps.has(name)) continue;
      this.open.delete(name);
      tooMany -= 1;
      await this.inStep(name, () => table.close());
    }
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.maintenanceTail.then(work);
    this.maintenanceTail = turn.catch(() => undefined);
    return turn;
  }

  private async inStep<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.steps.get(name) ?? Promise.resolve();
    const step = before.then(work, work);
    this.steps.set(name, step);
    try {
      return await step;
    } finally {
      if (this.steps.get(name) === step) this.steps.delete(name);
    }
  }

  private path(file: string): string {
    return join(this.settings.directory, file);
  }
}

/** One table per dataset and embedding space. */
function tableName(index: IndexRef): string {
  return `${index.tenantId}_${index.datasetId}_${index.spaceId}`;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
