import { IsIn } from 'class-validator';
import { field, withoutUndefined, type FieldOptions, type FieldSchema } from './field.js';

export type ChoiceValues = readonly (string | number)[];

export interface ChoiceNaming {
  /** Name of the enumeration in the description, for generated clients; without it, it is written where it is used. */
  readonly name?: string;
}

export const choiceSchema = (values: ChoiceValues, { name }: ChoiceNaming = {}): FieldSchema =>
  withoutUndefined({ enum: [...values], enumName: name });

/**
 * One of the values.
 * @example
 * ```ts
 * @Choice(ORDERS, { query: true, default: '-created_at' })
 * order_by: Order = '-created_at';
 * ```
 */
export const Choice = (
  values: ChoiceValues,
  { name, ...options }: FieldOptions & ChoiceNaming = {},
): PropertyDecorator => field(choiceSchema(values, { name }), [IsIn(values)], options);
