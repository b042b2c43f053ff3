import { toNormalForm } from '#libs/common';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Length, Matches, MaxLength, MinLength } from 'class-validator';
import { field, type FieldOptions } from '#libs/http';

export const MAX_EMAIL_LENGTH = 254;
export const MAX_NAME_LENGTH = 128;
export const MIN_PASSWORD_LENGTH = 8;
/** Maximum length of a new password: long enough for any passphrase; longer texts would only take time. */
export const MAX_NEW_PASSWORD_LENGTH = 128;
/** Maximum length of a password at a login; it may have been set when longer ones were allowed. */
export const MAX_PASSWORD_LENGTH = 256;

/** Pattern of a name in the OpenAPI description; white space alone is no name. */
export const NAME_SCHEMA = { type: String, minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: '\\S' } as const;
const EMAIL_SCHEMA = { type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH } as const;
const PASSWORD_SCHEMA = {
  type: String,
  format: 'password',
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_NEW_PASSWORD_LENGTH,
} as const;

const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? toNormalForm(value.trim(), 'NFC') : value));

/** An e-mail address as people write them: one @ between two parts without white space; trimmed. */
export const EmailAddress = (options?: FieldOptions): PropertyDecorator =>
  field(
    EMAIL_SCHEMA,
    [
      applyDecorators(
        Trimmed(),
        IsString(),
        MaxLength(MAX_EMAIL_LENGTH),
        Matches(/^[^@\s]+@[^@\s]+$/, { message: '$property must be an e-mail address' }),
      ),
    ],
    options,
  );

/** A trimmed name. */
export const Name = (options?: FieldOptions): PropertyDecorator => field(NAME_SCHEMA, [IsName()], options);

/** Only the rules of a name, for a field whose presence depends on other fields. */
export const IsName = (): PropertyDecorator => applyDecorators(Trimmed(), IsString(), Length(1, MAX_NAME_LENGTH));

/** A new password; only its length is checked here, the rest by `Passwords`. */
export const NewPassword = (options?: FieldOptions): PropertyDecorator =>
  field(
    PASSWORD_SCHEMA,
    [applyDecorators(IsString(), MinLength(MIN_PASSWORD_LENGTH), MaxLength(MAX_NEW_PASSWORD_LENGTH))],
    options,
  );
