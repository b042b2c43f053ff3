const MAX_NEAR = 40;

/** Says where something is in a statement, as a sentence with a space before it; empty where the place is not known. */
export function placeIn(sql: string, atByte: number | undefined): string {
  if (atByte === undefined) return '';
  const before = Buffer.from(sql, 'utf8').subarray(0, atByte).toString('utf8');
  const lines = before.split('\n');
  const rest = sql.slice(before.length).split('\n')[0]!.trim();
  const near = rest === '' ? 'at its end' : `near "${rest.slice(0, MAX_NEAR)}${rest.length > MAX_NEAR ? '…' : ''}"`;
  return ` Found in line ${lines.length}, column ${[...lines.at(-1)!].length + 1}, ${near}.`;
}
