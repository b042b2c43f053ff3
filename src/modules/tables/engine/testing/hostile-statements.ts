import { readFileSync } from 'node:fs';

/** A statement that must not get what it wants. */
export interface HostileStatement {
  readonly kind: string;
  /** Code of the refusal; `*`: any refusal, or a harmless answer within the limits; `bounded`: stopped by a limit. */
  readonly code: string;
  readonly sql: string;
}

interface Line {
  readonly kind: string;
  readonly code: string;
  readonly sql?: string;
  /** Texts, each this many times. */
  readonly pieces?: readonly (readonly [string, number])[];
}

/** All of the data file; `{sentinel}` is a file that must not be read, `{port}` one that must not be called. */
export function hostileStatements(sentinel: string, port: number): HostileStatement[] {
  const lines = readFileSync(new URL('hostile-statements.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const { kind, code, sql, pieces = [] } = JSON.parse(line) as Line;
    const text = sql ?? pieces.map(([piece, times]) => piece.repeat(times)).join('');
    return { kind, code, sql: text.replaceAll('{sentinel}', sentinel).replaceAll('{port}', String(port)) };
  });
}
