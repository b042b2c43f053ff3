import { readFileSync } from 'node:fs';
import type { ChildAnswer, ChildCommand, ChildOptions, ChildUsage, StatementToRun, TableToLoad } from './protocol.js';
import { failureOf } from './failures.js';
import { runStatement } from './run-statement.js';
import { StatementInterrupt } from './statement-interrupt.js';
import { TablesDatabase } from './tables-database.js';

/**
 * Entry of the limited child process that holds tables and carries out statements over them. It has an empty environment and ends when
 * its parent goes away; its limits are set by the parent.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions;
const database = TablesDatabase.open(options);
const running = new Map<number, StatementInterrupt>();

process.on('disconnect', () => process.exit(0));
process.on('message', (command: ChildCommand) => {
  if (command.type === 'stop') return running.get(command.id)?.stop('stopped');
  const answer = command.type === 'load' ? load(command.id, command.tables) : run(command.id, command.statement);
  void answer.then((message) => process.send?.(message));
});

void database.then(() => process.send?.({ type: 'ready', id: 0, usage: usage() } satisfies ChildAnswer));

async function load(id: number, tables: readonly TableToLoad[]): Promise<ChildAnswer> {
  const stop = new StatementInterrupt(0);
  stop.forget();
  try {
    await (await database).load(tables);
    return { type: 'loaded', id, usage: usage() };
  } catch (error) {
    const { code, detail } = failureOf(error, stop);
    return { type: 'load_failed', id, isMemory: code === 'memory', detail, usage: usage() };
  }
}

async function run(id: number, statement: StatementToRun): Promise<ChildAnswer> {
  const stop = new StatementInterrupt(statement.timeoutMs);
  running.set(id, stop);
  try {
    const outcome = await runStatement(await database, statement, stop);
    return { type: 'ran', id, outcome, usage: usage() };
  } catch (error) {
    return { type: 'ran', id, outcome: { kind: 'failed', ...failureOf(error, stop) }, usage: usage() };
  } finally {
    stop.forget();
    running.delete(id);
  }
}

function usage(): ChildUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, memoryBytes: ownBytes() };
}

/** A sandbox may have no /proc: the peak represents what is resident now. */
function ownBytes(): number {
  try {
    const anonymous = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'));
    if (anonymous !== null) return Number(anonymous[1]) * 1024;
  } catch {
    // Not everywhere.
  }
  return process.resourceUsage().maxRSS * 1024;
}
