import { toNormalForm } from '#libs/common';
import { ValidateBy } from 'class-validator';
import { field, type FieldOptions } from '#libs/http';

/** Most characters (code points) of a dataset's or category's name. */
export const MAX_NAME_LENGTH = 128;

const CONTROL = /\p{Cc}/u;
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** How the description shows a name. Its characters are those of `CONTROL` and white space, in terms that every tool knows. */
const DISPLAY_NAME_SCHEMA = {
  type: String,
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$',
} as const;

/** A name as it is kept: Unicode form NFC, no white space around it. */
export function normaliseName(name: string): string {
  return toNormalForm(name, 'NFC').trim();
}

/** What two names share that are the same without regard to case. */
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
