/** Processor time of processes and all their descendants, ended ones that were waited for included. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** In milliseconds. @param {readonly number[]} roots process ids */
export function cpuTimeOf(roots) {
  const table = new Map();
  for (const name of readdirSync('/proc')) {
    const row = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (row !== undefined) table.set(Number(name), row);
  }
  const counted = new Set(roots);
  for (const pid of counted) for (const [child, { parent }] of table) if (parent === pid) counted.add(child);
  return [...counted].reduce((sum, pid) => sum + (table.get(pid)?.ms ?? 0), 0);
}

/** Undefined when the process has ended meanwhile. */
function readStat(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(error.code)) return undefined;
    throw error;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ms: ticks * MS_PER_TICK };
}
