/** Words that represent a value that is not there, in columns of every type. */
const ABSENT = new Set([
  '',
  '-',
  '–',
  '—',
  '−',
  '--',
  '---',
  '‐',
  'n/a',
  'n.a.',
  '#n/a',
  'null',
  'k. a.',
  'k.a.',
  'keine angabe',
]);
/** Words that represent it beside numbers, dates and booleans; in a column of words they may be values. */
const ABSENT_BESIDE_VALUES = new Set([
  ...ABSENT,
  'na',
  'n. a.',
  'nan',
  'nil',
  'none',
  'nd',
  'n.d.',
  'tba',
  'tbd',
  'tbc',
  'unknown',
  'unbekannt',
  'inconnu',
  '?',
  '??',
  '.',
  '..',
  '...',
  '…',
  '*',
  '/',
  '#value!',
  '#ref!',
  '#div/0!',
  '#num!',
  '#name?',
  'missing',
  'not available',
  'x',
  ':',
]);

/** `[1]`, `[a]`, `[note 2]`, a dagger or a raised digit behind a value. */
const NOTE_MARK =
  /(?:\s*\[(?:\d{1,3}|[a-z]|(?:note|nb|n|fn|anm\.?)\s?\d{1,3})\]|\s*[†‡§]+|[\u00b9\u00b2\u00b3\u2070-\u2079]+)+$/iu;
/** The same, and asterisks: only where a value is no word. */
const NOTE_MARK_OF_VALUES =
  /(?:\s*\[(?:\d{1,3}|[a-z]|(?:note|nb|n|fn|anm\.?)\s?\d{1,3})\]|\s*[†‡§*]+|[\u2070-\u2079\u00b9]+)+$/iu;
const MASKED = /^\u2588[\u2588\s]*$/u;
const MARKS_OF_UNITS = /(?:^|[\s\d/])(?:[kcm]?m|ft|in|km)[\u00b2\u00b3]$/iu;

/** Whether a cell of any column holds nothing. */
export function isAbsent(text: string): boolean {
  return text.length <= 14 && ABSENT.has(text.toLowerCase());
}

/** Whether a cell was hidden whole by the policy: in a column of words it stays a mask, in any other it has no value. */
export function isMasked(text: string): boolean {
  return MASKED.test(text);
}

/** Whether a cell of a column of numbers, dates or booleans holds nothing. */
export function isAbsentValue(text: string): boolean {
  return (text.length <= 14 && ABSENT_BESIDE_VALUES.has(text.toLowerCase())) || isMasked(text);
}

/** A word or name without the marks of notes behind it. */
export function withoutNoteMark(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  if (last !== 0x5d && last < 0xa7) return text;
  if (MARKS_OF_UNITS.test(text)) return text;
  const bare = text.replace(NOTE_MARK, '');
  return bare === '' || /[[({]$/.test(bare) ? text : bare;
}

/** The text of a number, date or boolean without the marks of notes behind it. */
export function withoutValueMark(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  const isMark = last === 0x5d || last === 0x2a || last >= 0xa7;
  if (!isMark || MARKS_OF_UNITS.test(text)) return text;
  const bare = text.replace(NOTE_MARK_OF_VALUES, '');
  return bare === '' ? text : bare;
}
