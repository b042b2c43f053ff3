import { IsBoolean, IsInt, IsNumber, Max, Min } from 'class-validator';
import { field, given, withoutUndefined, type FieldOptions, type FieldSchema } from './field.js';
import { QueryFlag, QueryInteger } from './query.js';

export interface NumberBounds {
  /** Least value. */
  readonly min?: number;
  /** Greatest value. */
  readonly max?: number;
}

export type NumberOptions = FieldOptions & NumberBounds;

export function numberSchema(type: 'integer' | typeof Number, { min, max }: NumberBounds = {}): FieldSchema {
  return withoutUndefined({ type, minimum: min, maximum: max });
}

const bounds = ({ min, max }: NumberBounds): PropertyDecorator[] =>
  given(min !== undefined && Min(min), max !== undefined && Max(max));

/**
 * A whole number. In a query it is read from its digits.
 * @example
 * ```ts
 * @Integer({ query: true, min: 1, max: 100, default: 20 })
 * limit: number = 20;
 * ```
 */
export function Integer(options: NumberOptions = {}): PropertyDecorator {
  const read = given(options.query === true && QueryInteger());
  return field(numberSchema('integer', options), [...read, IsInt(), ...bounds(options)], options);
}

/**
 * A number, with or without a fraction; never NaN or infinite.
 * @example
 * ```ts
 * @Decimal({ optional: true, min: 0, max: 1 })
 * threshold?: number;
 * ```
 */
export const Decimal = (options: NumberOptions = {}): PropertyDecorator =>
  field(numberSchema(Number, options), [IsNumber(), ...bounds(options)], options);

/**
 * Yes or no. In a query it is read from `true` and `false`.
 * @example
 * ```ts
 * @Flag({ query: true })
 * overdue?: boolean;
 * ```
 */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  const read = given(options.query === true && QueryFlag());
  return field({ type: Boolean }, [...read, IsBoolean()], options);
}
