import {
  buildMessage,
  IsRFC3339,
  isRFC3339,
  IsString,
  IsUUID,
  Length,
  Matches,
  MaxLength,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { isMoment } from '#libs/common';
import { field, given, withoutUndefined, type FieldOptions, type FieldSchema } from './field.js';

const SOMETHING = /\S/u;

/** Bounds of a text, in UTF-16 code units. */
export interface TextBounds {
  /** Least length. */
  readonly min?: number;
  /** Greatest length. */
  readonly max?: number;
  /** Least and greatest length as one rule: a text outside has one problem, `is_length`, and not `min_length` or `max_length`. */
  readonly length?: readonly [number, number];
  /** Holds something other than white space. */
  readonly filled?: boolean;
  /** What the description adds, for readers; nothing checks it here. */
  readonly described?: {
    readonly format?: string;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
  };
}

export type TextOptions = FieldOptions & TextBounds;

/** What is checked comes first, what the description adds after it. */
export function textSchema({ min, max, length, filled, described }: TextBounds = {}): FieldSchema {
  return {
    type: String,
    ...withoutUndefined({ minLength: min ?? length?.[0], maxLength: max ?? length?.[1] }),
    ...(filled === true ? { pattern: String.raw`\S`, minLength: 1 } : {}),
    ...described,
  };
}

/**
 * A text.
 * @example
 * ```ts
 * // Name of the set.
 * @Text({ filled: true, max: 128 })
 * name!: string;
 *
 * // Note; null: none.
 * @Text({ optional: true, nullable: true, max: 2000 })
 * note?: string | null;
 * ```
 */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const { min, max, length, filled, ...rest } = options;
  const rules = given(
    IsString(),
    length !== undefined && Length(...length),
    min !== undefined && MinLength(min),
    max !== undefined && MaxLength(max),
    filled === true && Matches(SOMETHING, { message: '$property must contain more than white space' }),
  );
  return field(textSchema(options), rules, rest);
}

/**
 * A text of a given form.
 * @param pattern regular expression in the syntax that JSON Schema shares
 * @param message what is wrong with a text of another form; `$property` is the name of the field
 * @example
 * ```ts
 * @TextOf('^[a-z]{1,32}$', '$property must be a lower-case word', { query: true })
 * type?: string;
 * ```
 */
export const TextOf = (pattern: string, message: string, options: FieldOptions = {}): PropertyDecorator =>
  field({ type: String, pattern }, [Matches(new RegExp(pattern, 'u'), { message })], options);

/**
 * An identifier.
 * @example
 * ```ts
 * @Uuid()
 * dataset_id!: string;
 * ```
 */
export const Uuid = (options: FieldOptions = {}): PropertyDecorator => field(uuidSchema, [IsUUID()], options);

export const uuidSchema: FieldSchema = { type: String, format: 'uuid' };

/**
 * A moment as RFC 3339 writes it.
 * @example
 * ```ts
 * @Instant({ optional: true, nullable: true })
 * until?: string | null;
 * ```
 */
export const Instant = (options: FieldOptions = {}): PropertyDecorator =>
  field(instantSchema, [IsRFC3339(), OfRealMoment()], options);

/** The pattern of RFC 3339 lets 30 February and leap seconds pass. What has another form has one problem. */
function OfRealMoment(): PropertyDecorator {
  return ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value: unknown) => !isRFC3339(value) || isMoment(value as string),
      defaultMessage: buildMessage((each) => `${each}$property must be an existing time in the years 1 to 9999`),
    },
  });
}

export const instantSchema: FieldSchema = { type: String, format: 'date-time' };
