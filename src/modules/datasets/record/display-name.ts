import { toNormalForm } from '#libs/common';
import { ValidateBy } from 'class-validator';
import { field, type FieldOptions } from '#libs/http';

/** Maximum length of the name of a dataset or category in characters (code points). */
export const MAX_NAME_LENGTH = 128;

const CONTROL = /\p{Cc}/u;
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** Pattern of a name in the OpenAPI description: the characters of `CONTROL` and white space, in a syntax that every tool supports. */
const DISPLAY_NAME_SCHEMA = {
  type: String,
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$',
} as const;

/** A name in its stored form: Unicode form NFC, trimmed. */
export function normaliseName(name: string): string {
  return toNormalForm(name, 'NFC').trim();
}

/** Key of a name; names that differ only in case have the same key. */
export function nameKeyOf(name: string): string {
  return toNormalForm(normaliseName(name).toLowerCase(), 'NFC');
}

/** Whether a text can be a name: 1 to 128 characters after trimming, something visible among them, no control characters. */
export function isDisplayName(value: unknown): boolean {
  if (typeof value !== 'string' || CONTROL.test(value) || !VISIBLE.test(value)) return false;
  return [...normaliseName(value)].length <= MAX_NAME_LENGTH;
}

/** A field that is a name (`isDisplayName`). */
export const DisplayName = (options?: FieldOptions): PropertyDecorator =>
  field(
    DISPLAY_NAME_SCHEMA,
    [
      ValidateBy({
        name: 'isDisplayName',
        validator: {
          validate: isDisplayName,
          defaultMessage: () =>
            `$property must be a text of 1 to ${MAX_NAME_LENGTH} characters without control characters`,
        },
      }),
    ],
    options,
  );
