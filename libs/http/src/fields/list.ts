import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsUUID,
  ValidateNested,
} from 'class-validator';
import { Type } from 'class-transformer';
import { choiceSchema, type ChoiceValues } from './choice.js';
import { field, given, withoutUndefined, type FieldOptions, type FieldSchema } from './field.js';
import { uuidSchema } from './text.js';

/** A class of nested objects; as a function where it is declared further down in the file. */
export type NestedClass = (new () => object) | (() => new () => object);

export interface ListBounds {
  /** Least number of members. */
  readonly min?: number;
  /** Greatest number of members: every list of a request has one. */
  readonly max?: number;
  /** No member is there twice. */
  readonly unique?: boolean;
}

export type ListOptions = FieldOptions & ListBounds;

export const listSchema = ({ min, max, unique }: ListBounds): FieldSchema =>
  withoutUndefined({ uniqueItems: unique === true ? true : undefined, minItems: min, maxItems: max });

const bounds = ({ min, max, unique }: ListBounds): PropertyDecorator[] => [
  IsArray(),
  ...given(
    min !== undefined && ArrayMinSize(min),
    max !== undefined && ArrayMaxSize(max),
    unique === true && ArrayUnique(),
  ),
];

/**
 * A list of identifiers.
 * @example
 * ```ts
 * @Uuids({ min: 1, max: 500 })
 * document_ids!: string[];
 * ```
 */
export const Uuids = (options: ListOptions): PropertyDecorator =>
  field(
    { ...uuidSchema, type: [String], ...listSchema(options) },
    [...bounds(options), IsUUID(undefined, { each: true })],
    options,
  );

/**
 * A list of some of the values; at most as many members as there are values, unless `max` says otherwise.
 * @example
 * ```ts
 * @Choices(RESULT_PARTS, { optional: true, unique: true })
 * include?: ResultPart[];
 * ```
 */
export const Choices = (values: ChoiceValues, options: ListOptions = {}): PropertyDecorator =>
  field(
    { ...choiceSchema(values), isArray: true, ...listSchema(options) },
    [...bounds({ ...options, max: options.max ?? values.length }), IsIn(values, { each: true })],
    options,
  );

/**
 * An object whose fields a class describes and checks.
 * @example
 * ```ts
 * @Nested(Budget, { optional: true })
 * budget?: Budget;
 * ```
 */
export const Nested = (type: NestedClass, options: FieldOptions & NestedBounds = {}): PropertyDecorator =>
  field(nestedSchema(type, options), [IsObject(), ValidateNested(), Type(() => classOf(type))], options);

/**
 * A list of objects whose fields a class describes and checks.
 * @example
 * ```ts
 * @NestedList(Gate, { optional: true, max: 16 })
 * gates?: Gate[];
 * ```
 */
export const NestedList = (type: NestedClass, options: ListOptions): PropertyDecorator =>
  field(
    nestedListSchema(type, options),
    [...bounds(options), IsObject({ each: true }), ValidateNested({ each: true }), Type(() => classOf(type))],
    options,
  );

export interface NestedBounds {
  /** Least number of fields, for the description. */
  readonly minProperties?: number;
}

export const nestedSchema = (type: NestedClass, { minProperties }: NestedBounds = {}): FieldSchema =>
  withoutUndefined({ type: () => classOf(type), minProperties });

export const nestedListSchema = (type: NestedClass, options: ListBounds = {}): FieldSchema => ({
  type: () => [classOf(type)],
  ...listSchema(options),
});

/** A function that names a class has no prototype of its own. */
function classOf(type: NestedClass): new () => object {
  return type.prototype === undefined ? (type as () => new () => object)() : (type as new () => object);
}

/**
 * An object of JSON with any fields.
 * @example
 * ```ts
 * @Json({ optional: true, nullable: true })
 * metadata?: JsonObject | null;
 * ```
 */
export const Json = (options: FieldOptions = {}): PropertyDecorator => field(jsonSchema, [IsObject()], options);

export const jsonSchema: FieldSchema = { type: 'object', additionalProperties: true };
