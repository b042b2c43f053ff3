import type { Isolation } from '#libs/parsing';
import type { EngineTable, TableEngineState, WithTableFile } from '../table-engine.port.js';
import type { TableEngineOptions } from './engine-options.js';
import { LoadFailed, ProcessGone, TableProcess } from './table-process.js';

/** The tables that a process may hold: the visible ones of a dataset. */
export interface TablesKey {
  readonly dataset: string;
  /** Key that changes with the set of tables, their rows and their places. */
  readonly visible: string;
}

export interface TablesRequest {
  readonly tables: readonly EngineTable[];
  readonly withFile: WithTableFile;
  /** Tables that a statement reads; undefined: not known yet. */
  readonly needed: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
}

interface Held {
  readonly key: TablesKey;
  readonly process: TableProcess;
  lastUsed: number;
}

/** The processes that hold tables: one for each dataset and set of visible tables; the least recently used end first. */
export class TableProcesses {
  private readonly options: TableEngineOptions;
  private readonly isolate: () => Promise<Isolation>;
  /** By dataset and visible set; at most one that takes statements, besides those that end. */
  private readonly held = new Map<string, Held>();
  private readonly all = new Set<TableProcess>();
  private readonly preparing = new Map<string, Promise<unknown>>();
  private readonly idleTimer: NodeJS.Timeout;

  constructor(options: TableEngineOptions, isolate: () => Promise<Isolation>) {
    this.options = options;
    this.isolate = isolate;
    this.idleTimer = setInterval(() => this.endIdle(), Math.max(1000, options.idleMs / 4));
    this.idleTimer.unref();
  }

  /** A process that holds what is needed; one after the other for the same tables. */
  async processFor(key: TablesKey, wanted: TablesRequest): Promise<TableProcess> {
    const name = nameOf(key);
    const before = this.preparing.get(name) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => this.prepare(key, wanted));
    const settled = mine.catch(() => undefined);
    this.preparing.set(name, settled);
    try {
      return await mine;
    } finally {
      if (this.preparing.get(name) === settled) this.preparing.delete(name);
    }
  }

  state(): TableEngineState {
    const living = [...this.all].filter(({ hasEnded }) => !hasEnded);
    return { processes: living.length, memoryBytes: this.memoryBytes() };
  }

  /** Ends the least recently used processes until the rest fits. */
  trim(): void {
    this.forgetEnded();
    const idle = [...this.held.values()]
      .filter(({ process }) => process.running === 0 && process.isLoaded)
      .toSorted((a, b) => a.lastUsed - b.lastUsed);
    // The one used last stays: it alone fits, its limits see to that.
    for (const { key, process } of idle.slice(0, -1)) {
      if (this.memoryBytes() <= this.options.memoryBytes) return;
      this.held.delete(nameOf(key));
      process.retire();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.idleTimer);
    this.held.clear();
    const processes = [...this.all];
    for (const process of processes) process.kill();
    await Promise.all(processes.map((process) => process.whenEnded()));
    this.all.clear();
  }

  private async prepare(key: TablesKey, wanted: TablesRequest): Promise<TableProcess> {
    wanted.signal?.throwIfAborted();
    const { needed } = wanted;
    const held = this.held.get(nameOf(key));
    if (held?.process.isUsable === true) {
      held.lastUsed = performance.now();
      const { process } = held;
      if (needed === undefined || (process.isLoaded && needed.every((name) => process.tables.has(name))))
        return process;
      if (!process.isLoaded) return this.loadInto(key, process, needed, wanted);
    }
    this.endOthersOf(key);
    const fresh = await this.start(key);
    if (needed === undefined) return fresh;
    const together = new Set([...needed, ...(held?.process.tables ?? [])]);
    try {
      return await this.loadInto(key, fresh, [...together], wanted);
    } catch (error) {
      const isMemory = error instanceof LoadFailed ? error.isMemory : error instanceof ProcessGone && !error.isOwnDoing;
      if (!isMemory || together.size === needed.length) throw error;
      // What was held before does not fit beside it.
      return this.loadInto(key, await this.start(key), needed, wanted);
    }
  }

  private async start(key: TablesKey): Promise<TableProcess> {
    const process = await TableProcess.start(this.options, await this.isolate());
    this.all.add(process);
    this.held.get(nameOf(key))?.process.retire();
    this.held.set(nameOf(key), { key, process, lastUsed: performance.now() });
    return process;
  }

  private async loadInto(
    key: TablesKey,
    process: TableProcess,
    names: readonly string[],
    { tables, withFile, signal }: TablesRequest,
  ): Promise<TableProcess> {
    try {
      await process.load(withParts(names, tables), withFile, signal);
      return process;
    } catch (error) {
      if (this.held.get(nameOf(key))?.process === process) this.held.delete(nameOf(key));
      process.kill();
      throw error;
    }
  }

  /** What a dataset showed before is held no longer than it is used. */
  private endOthersOf(key: TablesKey): void {
    for (const [name, held] of this.held) {
      if (held.key.dataset !== key.dataset || held.key.visible === key.visible) continue;
      this.held.delete(name);
      held.process.retire();
    }
  }

  private endIdle(): void {
    this.forgetEnded();
    const before = performance.now() - this.options.idleMs;
    for (const [name, { process, lastUsed }] of this.held) {
      if (process.running > 0 || lastUsed > before) continue;
      this.held.delete(name);
      process.retire();
    }
  }

  private forgetEnded(): void {
    for (const process of this.all) if (process.hasEnded) this.all.delete(process);
    for (const [name, { process }] of this.held) if (process.hasEnded || process.isRetired) this.held.delete(name);
  }

  private memoryBytes(): number {
    return [...this.all]
      .filter(({ hasEnded, isRetired }) => !hasEnded && !isRetired)
      .reduce((sum, { usage }) => sum + usage.memoryBytes, 0);
  }
}

function nameOf({ dataset, visible }: TablesKey): string {
  return `${dataset} ${visible}`;
}

/** The named tables and those that views among them read. */
function withParts(names: readonly string[], tables: readonly EngineTable[]): EngineTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const found = new Map<string, EngineTable>();
  const add = (name: string): void => {
    const table = byName.get(name);
    if (table === undefined || found.has(name)) return;
    found.set(name, table);
    if (table.kind === 'view') for (const { from } of table.parts) add(from);
  };
  for (const name of names) add(name);
  return [...found.values()];
}
