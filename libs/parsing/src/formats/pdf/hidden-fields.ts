import { statSync, readFileSync } from 'node:fs';
import type { FormField, ParsedPage } from '@llamaindex/liteparse';

/** Flags of an annotation that is neither shown nor printed, and of one that is not shown (PDF 32000-1, table 165). */
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;
/** A larger file is not searched for flags. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FIELDS = 2_000;
const MOST_DICTIONARY = 8_192;
const FLAGS = /\/F\s+(\d{1,5})\b(?!\s+\d+\s+R)/;

/**
 * Pages without the fields of a form that no reader sees. The file is searched only where a field has a value that its page does not say; flags of
 * objects that are packed with others are not found, and those fields stay.
 */
export function withoutHiddenFields(pages: readonly ParsedPage[], path: string): readonly ParsedPage[] {
  const asked = pages.flatMap(({ formFields = [], text }) => formFields.filter((field) => isUnsaid(field, text)));
  if (asked.length === 0 || asked.length > MOST_FIELDS || statSync(path).size > MOST_BYTES) return pages;
  const bytes = readFileSync(path);
  const hidden = new Set(
    asked.filter(({ objectNumber }) => isHidden(bytes, objectNumber)).map(({ objectNumber }) => objectNumber),
  );
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

/** Whether the last version of an object has one of the flags. */
function isHidden(bytes: Buffer, objectNumber = 0): boolean {
  const head = Buffer.from(`${objectNumber} 0 obj`, 'latin1');
  for (let at = bytes.lastIndexOf(head); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(head, at - 1)) {
    if (at > 0 && isDigit(bytes[at - 1]!)) continue;
    const end = bytes.indexOf('endobj', at);
    const dictionary = bytes.toString(
      'latin1',
      at + head.length,
      Math.min(end < 0 ? bytes.length : end, at + MOST_DICTIONARY),
    );
    return (Number(FLAGS.exec(dictionary)?.[1] ?? 0) & (HIDDEN | NO_VIEW)) !== 0;
  }
  return false;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
