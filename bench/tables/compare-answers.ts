/** Whether two answers are the same, by the rules of the data set WikiTableQuestions: numbers and dates by value, words in a normal form. */
import type { CellValue } from '#libs/tabular';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** `wanted` as written; with `inOrder` the order counts. */
export function isSameAnswer(
  rows: readonly (readonly CellValue[])[],
  wanted: readonly string[],
  inOrder = false,
): boolean {
  const given = rows
    .flatMap((row) => (row.length > 1 && wanted.some((one) => one.includes(':')) ? [row.join(': ')] : row))
    .filter((cell) => cell !== null);
  if (given.length !== wanted.length) return false;
  const free = [...wanted];
  return given.every((cell, index) => {
    if (inOrder) return isSame(String(cell), wanted[index]!);
    const at = free.findIndex((one) => isSame(String(cell), one));
    if (at >= 0) free.splice(at, 1);
    return at >= 0;
  });
}

function isSame(one: string, other: string): boolean {
  if (normal(one) === normal(other)) return true;
  if (one.includes(': ') && other.includes(': ')) {
    const [left, right] = [one, other].map((text) => [
      text.slice(0, text.lastIndexOf(':')),
      text.slice(text.lastIndexOf(':') + 1),
    ]);
    return isSame(left![0]!, right![0]!) && isSame(left![1]!, right![1]!);
  }
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b) <= Math.max(0.005, Math.abs(b) * 1e-6);
  const [from, to] = [dateOf(one), dateOf(other)];
  if (from !== undefined && to !== undefined) return from === to;
  return isTrue(one) !== undefined && isTrue(one) === isTrue(other);
}

function isTrue(text: string): boolean | undefined {
  if (/^(?:true|yes)$/i.test(text)) return true;
  return /^(?:false|no)$/i.test(text) ? false : undefined;
}

function normal(text: string): string {
  let now = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’´`]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-');
  for (let former = ''; former !== now;) {
    former = now;
    now = now
      .trim()
      .replace(/(?:(?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$/u, '')
      .trim()
      .replace(/(?<!^)( \([^)]*\))*$/u, '')
      .trim()
      .replace(/^"([^"]*)"$/, '$1');
  }
  return now.replace(/\.$/, '').replace(/\s+/g, ' ').toLowerCase().trim();
}

function numberOf(text: string): number | undefined {
  const bare = text
    .replace(/[−–]/g, '-')
    .replace(/[€$£%]|\b(?:EUR|USD|GBP|km|kg|m²|MWh|hours?)\b/gi, '')
    .replaceAll(',', '')
    .trim();
  return /^[+-]?\s?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(bare) ? Number(bare.replace(/\s/g, '')) : undefined;
}

function dateOf(text: string): string | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?)?$/.exec(text);
  if (iso !== null) return iso[1];
  const american = /^(\p{L}+) (\d{1,2}), (\d{4})$/u.exec(text.toLowerCase());
  const british = /^(\d{1,2}) (\p{L}+) (\d{4})$/u.exec(text.toLowerCase());
  const [month, day, year] =
    american !== null
      ? [american[1]!, american[2]!, american[3]!]
      : british !== null
        ? [british[2]!, british[1]!, british[3]!]
        : ['', '', ''];
  const index = MONTHS.indexOf(month);
  return index < 0 ? undefined : `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
