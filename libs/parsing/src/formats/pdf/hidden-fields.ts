import { statSync, readFileSync } from 'node:fs';
import type { FormField, ParsedPage } from '@llamaindex/liteparse';

/** Flags of an annotation that is neither shown nor printed, and of one that is not shown (PDF 32000-1, table 165). */
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;
/** A larger file is not searched for flags. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FIELDS = 2_000;
const MOST_DICTIONARY = 8_192;
/** Versions of objects; a file that has more is made to be slow. */
const MOST_LOOKED = 20_000;
const HEAD = Buffer.from(' 0 obj', 'latin1');
const FLAGS = /\/F\s+(\d{1,5})\b(?!\s+\d+\s+R)/;

/**
 * Pages without the fields of a form that no reader sees. The file is searched only where a field has a value that its page does not say; flags of
 * objects that are packed with others are not found, and those fields stay.
 */
export function withoutHiddenFields(pages: readonly ParsedPage[], path: string): readonly ParsedPage[] {
  const asked = pages.flatMap(({ formFields = [], text }) => formFields.filter((field) => isUnsaid(field, text)));
  if (asked.length === 0 || asked.length > MOST_FIELDS || statSync(path).size > MOST_BYTES) return pages;
  const hidden = hiddenOf(readFileSync(path), new Set(asked.map(({ objectNumber }) => objectNumber!)));
  if (hidden.size === 0) return pages;
  return pages.map((page) => ({
    ...page,
    ...(page.formFields !== undefined && {
      formFields: page.formFields.filter(({ objectNumber }) => objectNumber === undefined || !hidden.has(objectNumber)),
    }),
  }));
}

function isUnsaid({ value = '', objectNumber, checked }: FormField, text: string): boolean {
  return objectNumber !== undefined && (checked !== undefined || (value !== '' && !text.includes(value)));
}

/** Those of some objects whose last version has one of the flags; the bytes are gone through once. */
function hiddenOf(bytes: Buffer, wanted: ReadonlySet<number>): Set<number> {
  const hidden = new Set<number>();
  let looked = 0;
  for (let at = bytes.indexOf(HEAD); at >= 0; at = bytes.indexOf(HEAD, at + HEAD.length)) {
    const number = /(?:^|\D)(\d{1,10})$/.exec(bytes.toString('latin1', Math.max(0, at - 11), at))?.[1];
    if (number === undefined || !wanted.has(Number(number))) continue;
    looked += 1;
    if (looked > MOST_LOOKED) break;
    const whole = bytes.toString('latin1', at, at + MOST_DICTIONARY);
    const end = whole.indexOf('endobj');
    const flags = Number(FLAGS.exec(end < 0 ? whole : whole.slice(0, end))?.[1] ?? 0);
    if ((flags & (HIDDEN | NO_VIEW)) === 0) hidden.delete(Number(number));
    else hidden.add(Number(number));
  }
  return hidden;
}
