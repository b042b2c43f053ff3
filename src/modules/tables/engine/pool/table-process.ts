import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapBounded, Once } from '#libs/common';
import { Exchange, limitedCommand, INPUT_FOLDER, type ChildCommand as Command, type Isolation } from '#libs/parsing';
import type {
  ChildAnswer,
  ChildCommand,
  ChildUsage,
  RunOutcome,
  StatementToRun,
  TableToLoad,
  ChildOptions,
} from '../child/protocol.js';
import type { EngineTable, WithTableFile } from '../table-engine.port.js';
import { engineBytesOf, processBytesOf, type TableEngineOptions } from './engine-options.js';

const HEAP_MEBIBYTES = 192;

/** Processor time of a process over its life; it is replaced when half of it is used. */
const CPU_SECONDS = 3600;
const FILES_AT_ONCE = 8;

/** A process ended before its answer. */
export class ProcessGone extends Error {
  /** Whether the caller had the process killed. */
  readonly isOwnDoing: boolean;
  /** Number of statements that it was executing. */
  readonly running: number;

  constructor(isOwnDoing: boolean, running: number) {
    super('the process that holds the tables has ended');
    this.isOwnDoing = isOwnDoing;
    this.running = running;
  }
}

/** The tables could not be loaded. */
export class LoadFailed extends Error {
  readonly isMemory: boolean;

  constructor(detail: string, isMemory: boolean) {
    super(detail);
    this.isMemory = isMemory;
  }
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A limited process that is given its tables once, in a sandbox if there is one. */
export class TableProcess {
  readonly tables = new Set<string>();
  usage: ChildUsage = { cpuSeconds: 0, memoryBytes: 0 };
  isLoaded = false;
  /** Gets no further statements. */
  isRetired = false;
  running = 0;
  private readonly options: TableEngineOptions;
  private readonly exchange: Exchange;
  private readonly inputFolder: string;
  private readonly process: ChildProcess;
  private readonly pending = new Map<number, { resolve: (answer: ChildAnswer) => void; fail: () => void }>();
  private isEnded = false;
  private lastId = 0;
  private readonly removal = new Once(() => this.exchange.remove().catch(() => undefined));

  private constructor(options: TableEngineOptions, exchange: Exchange, command: Command, isContained: boolean) {
    this.options = options;
    this.exchange = exchange;
    this.inputFolder = isContained ? INPUT_FOLDER : exchange.input;
    const env = { MALLOC_ARENA_MAX: '2' };
    this.process = spawn(command.file, command.args, { env, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.process.on('message', (answer: ChildAnswer) => this.settle(answer));
    this.process.on('error', () => this.end());
    this.process.on('close', () => this.end());
    this.setReferenced(false);
  }

  /** Resolves when it takes commands. @throws `ProcessGone`. */
  static async start(options: TableEngineOptions, isolation: Isolation): Promise<TableProcess> {
    const process = await TableProcess.spawn(options, isolation);
    await process.ask(undefined, options.loadMs);
    return process;
  }

  private static async spawn(options: TableEngineOptions, isolation: Isolation): Promise<TableProcess> {
    const exchange = await Exchange.open(options.workFolder);
    const program = entryCommand({ memoryBytes: engineBytesOf(options), threads: options.threads });
    const limits = { memoryBytes: processBytesOf(options), cpuSeconds: CPU_SECONDS };
    if (isolation.kind === 'limits') {
      return new TableProcess(options, exchange, limitedCommand(program, limits), false);
    }
    const { sandbox } = isolation;
    await sandbox.furnish(exchange);
    return new TableProcess(options, exchange, limitedCommand(program, limits, { sandbox, exchange }), true);
  }

  get isUsable(): boolean {
    return !this.isEnded && !this.isRetired && this.usage.cpuSeconds < CPU_SECONDS / 2;
  }

  get hasEnded(): boolean {
    return this.isEnded;
  }

  /** Once. @throws `LoadFailed`, `ProcessGone`, what `withFile` throws. */
  async load(tables: readonly EngineTable[], withFile: WithTableFile, signal?: AbortSignal): Promise<void> {
    const files = tables.filter((table) => table.kind === 'file');
    await mapBounded(files, FILES_AT_ONCE, (table, index) =>
      withFile(table.file, (path) => this.exchange.give(path, fileName(index)), signal),
    );
    const paths = new Map(files.map(({ name }, index) => [name, join(this.inputFolder, fileName(index))]));
    const toLoad = tables.map((table): TableToLoad => {
      if (table.kind === 'view') return table;
      return { kind: 'file', name: table.name, path: paths.get(table.name)! };
    });
    const answer = await this.ask({ type: 'load', tables: inOrder(toLoad) }, this.options.loadMs);
    await this.exchange.clear();
    if (answer.type === 'load_failed') throw new LoadFailed(answer.detail, answer.isMemory);
    for (const { name } of tables) this.tables.add(name);
    this.isLoaded = true;
  }

  /** @throws `ProcessGone`; the reason of `signal`, when the process is at it no more. */
  async run(statement: StatementToRun, signal?: AbortSignal): Promise<RunOutcome> {
    signal?.throwIfAborted();
    this.running += 1;
    try {
      const answer = await this.ask({ type: 'run', statement }, statement.timeoutMs + this.options.graceMs, signal);
      signal?.throwIfAborted();
      if (answer.type !== 'ran') throw new ProcessGone(false, this.running);
      return answer.outcome;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      this.running -= 1;
      if (this.isRetired && this.running === 0) this.kill();
    }
  }

  /** Ends when its last statement has ended. */
  retire(): void {
    this.isRetired = true;
    if (this.running === 0) this.kill();
  }

  kill(): void {
    this.isRetired = true;
    this.process.kill('SIGKILL');
  }

  async whenEnded(): Promise<void> {
    if (!this.isEnded) {
      this.setReferenced(true);
      await once(this.process, 'close');
    }
    await this.removeFolder();
  }

  /** Sends a command, or none for its first message, and waits for the answer. */
  private ask(
    command: WithoutId<ChildCommand> | undefined,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<ChildAnswer> {
    const id = this.lastId;
    this.lastId += 1;
    let isOwnDoing = false;
    const killForIt = (): void => {
      isOwnDoing = true;
      this.kill();
    };
    let timer = setTimeout(killForIt, deadlineMs);
    const onAbort = (): void => {
      this.process.send({ type: 'stop', id } satisfies ChildCommand, () => undefined);
      clearTimeout(timer);
      timer = setTimeout(killForIt, this.options.graceMs);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.setReferenced(true);
    return new Promise<ChildAnswer>((resolve, reject) => {
      const fail = (): void => reject(new ProcessGone(isOwnDoing, this.running));
      if (this.isEnded) return fail();
      this.pending.set(id, { resolve, fail });
      // A failed send means that the process is going: `close` follows.
      if (command !== undefined) this.process.send({ ...command, id }, () => undefined);
    }).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.pending.delete(id);
      if (this.pending.size === 0) this.setReferenced(false);
    });
  }

  private settle(answer: ChildAnswer): void {
    this.usage = answer.usage;
    this.pending.get(answer.id)?.resolve(answer);
  }

  private end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    for (const { fail } of this.pending.values()) fail();
    void this.removeFolder();
  }

  private removeFolder(): Promise<void> {
    // What cannot be removed now is removed at a later start, by its age.
    return this.removal.read();
  }

  /** A process without work must not keep its parent alive. */
  private setReferenced(isReferenced: boolean): void {
    for (const handle of [this.process, this.process.channel]) {
      if (isReferenced) handle?.ref();
      else handle?.unref();
    }
  }
}

function fileName(index: number): string {
  return `${index}.parquet`;
}

/** What a view reads comes before it. */
function inOrder(tables: readonly TableToLoad[]): TableToLoad[] {
  return [...tables.filter(({ kind }) => kind === 'file'), ...tables.filter(({ kind }) => kind === 'view')];
}

/** In a build this file is JavaScript and so is the entry; in tests both are TypeScript, run through a small loader. */
function entryCommand(options: ChildOptions): string[] {
  const node = [process.execPath, `--max-old-space-size=${HEAP_MEBIBYTES}`, '--max-semi-space-size=8'];
  return [...node, ...entry(), JSON.stringify(options)];
}

function entry(): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL('../child/table-child.js', import.meta.url))];
  const loader = new URL('../testing/source-loader.mjs', import.meta.url).href;
  return ['--import', loader, fileURLToPath(new URL('../child/table-child.ts', import.meta.url))];
}
