const YEAR = /^(?:1[5-9]|2[01])\d\d$/;
const WHOLE = /^\d{1,9}$/;
/** Fewer numbers with one distance may be values. */
const LEAST_COUNTED = 3;

/** Whether a text may be the label of a column, from 0: words, or behind the first one a year. */
export function mayBeLabel(text: string, column: number): boolean {
  return /\p{L}/u.test(text) || (column > 0 && YEAR.test(text.trim()));
}

/** Whether these are whole numbers, each as far from the one before, as years and numbers of rows are: they name rows as words do. */
export function areCounted(texts: readonly string[]): boolean {
  if (texts.length < LEAST_COUNTED || !texts.every((text) => WHOLE.test(text.trim()))) return false;
  const step = Number(texts[1]) - Number(texts[0]);
  return step !== 0 && texts.slice(1).every((text, at) => Number(text) - Number(texts[at]) === step);
}
