import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Manifest {
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: number;
    readonly sha256: string;
  }[];
  readonly files: { readonly count: number; readonly sha256: string; readonly missing: readonly string[] };
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

/** The rows of a table as they are in the backup. */
export async function readLines(folder: string, table: string): Promise<string[]> {
  const text = await readFile(join(folder, 'tables', `${table}.copy`), 'utf8');
  return text.split('\n').slice(0, -1);
}

/** Rows by column, unescaped; NULL as null. */
export async function readRows(folder: string, table: string): Promise<Record<string, string | null>[]> {
  const { tables } = await readManifest(folder);
  const { columns } = tables.find(({ name }) => name === table)!;
  return (await readLines(folder, table)).map((line) =>
    Object.fromEntries(line.split('\t').map((field, n) => [columns[n]!, field === '\\N' ? null : unescape(field)])),
  );
}

function unescape(field: string): string {
  const letters: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' };
  return field.replace(/\\(.)/g, (_, letter: string) => letters[letter] ?? letter);
}

/** Every hash of the audit log made again from its row and the one before; what does not fit is named. */
export async function findBrokenLinks(folder: string): Promise<string[]> {
  const problems: string[] = [];
  let before: { tenant: string; hash: string } | undefined;
  for (const row of await readRows(folder, 'audit_log')) {
    const previous = before?.tenant === row['tenant_id'] ? before!.hash : '0'.repeat(64);
    const entry = {
      tenantId: row['tenant_id'],
      seq: Number(row['seq']),
      event: row['event'],
      actor: row['actor'],
      subject: row['subject'],
      requestId: row['request_id'],
      details: JSON.parse(row['details']!) as unknown,
      createdAt: new Date(row['created_at']!).toISOString(),
    };
    const hash = createHash('sha256').update(previous).update(sortedJson(entry)).digest('hex');
    if (row['previous_hash'] !== previous || row['hash'] !== hash)
      problems.push(`audit_log ${entry.tenantId} ${entry.seq}: broken`);
    before = { tenant: row['tenant_id']!, hash };
  }
  return before === undefined ? ['audit_log: empty'] : problems;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
