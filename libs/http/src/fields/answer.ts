import { choiceSchema, type ChoiceNaming, type ChoiceValues } from './choice.js';
import { describeField, type DescribedOptions } from './field.js';
import { jsonSchema, listSchema, nestedListSchema, nestedSchema, type ListBounds, type NestedClass } from './list.js';
import { numberSchema, type NumberBounds } from './number.js';
import { instantSchema, textSchema, uuidSchema, type TextBounds } from './text.js';

/**
 * The kinds of fields of a response: described like those of a request, but without rules, since responses are not validated. A class that
 * requests use too has the kinds of requests.
 *
 * ```ts
 * // Identifier of the dataset.
 * @Answer.Uuid()
 * id!: string;
 *
 * // Time of the last upload; null: none.
 * @Answer.Instant({ nullable: true })
 * last_upload_at!: string | null;
 * ```
 */
export const Answer = {
  /** A text. */
  Text: (options: DescribedOptions & TextBounds = {}) => describeField(textSchema(options), options),
  /** An identifier. */
  Uuid: (options: DescribedOptions = {}) => describeField(uuidSchema, options),
  /** A moment, RFC 3339 in UTC. */
  Instant: (options: DescribedOptions = {}) => describeField(instantSchema, options),
  /** A hash: 64 lower-case hexadecimal digits. */
  Sha256: (options: DescribedOptions = {}) => describeField({ type: String, pattern: '^[0-9a-f]{64}$' }, options),
  /** A whole number. */
  Integer: (options: DescribedOptions & NumberBounds = {}) => describeField(numberSchema('integer', options), options),
  /** A whole number from 0. */
  Count: (options: DescribedOptions = {}) => describeField(numberSchema('integer', { min: 0 }), options),
  /** A number, with or without a fraction. */
  Decimal: (options: DescribedOptions & NumberBounds = {}) => describeField(numberSchema(Number, options), options),
  /** A number from 0 to 1. */
  Share: (options: DescribedOptions = {}) => describeField(numberSchema(Number, { min: 0, max: 1 }), options),
  /** Yes or no. */
  Flag: (options: DescribedOptions = {}) => describeField({ type: Boolean }, options),
  /** One of the values. */
  Choice: (values: ChoiceValues, options: DescribedOptions & ChoiceNaming = {}) =>
    describeField(choiceSchema(values, options), options),
  /** A list of some of the values. */
  Choices: (values: ChoiceValues, options: DescribedOptions & ListBounds = {}) =>
    describeField({ ...choiceSchema(values), isArray: true, ...listSchema(options) }, options),
  /** A list of texts. */
  Texts: (options: DescribedOptions & ListBounds = {}) =>
    describeField({ type: [String], ...listSchema(options) }, options),
  /** A list of identifiers. */
  Uuids: (options: DescribedOptions & ListBounds = {}) =>
    describeField({ ...uuidSchema, type: [String], ...listSchema(options) }, options),
  /** An object that a class describes. */
  Nested: (type: NestedClass, options: DescribedOptions = {}) => describeField(nestedSchema(type), options),
  /** A list of objects that a class describes. */
  NestedList: (type: NestedClass, options: DescribedOptions & ListBounds = {}) =>
    describeField(nestedListSchema(type, options), options),
  /** An object of JSON with any fields. */
  Json: (options: DescribedOptions = {}) => describeField(jsonSchema, options),
} as const;
