import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';

/** A schema of OpenAPI, as `@ApiProperty` takes it. */
export type FieldSchema = Readonly<Record<string, unknown>>;

/** Options of every described field. The description itself is the doc comment of the property. */
export interface DescribedOptions {
  /** May be left out. */
  readonly optional?: boolean;
  /** May be null. */
  readonly nullable?: boolean;
  /** Value of a field that is left out, for the description; the property's initialiser sets it. */
  readonly default?: unknown;
  /** Example for the description; else the `@example` of the doc comment. */
  readonly example?: unknown;
}

/** Options of every field of a request. */
export interface FieldOptions extends DescribedOptions {
  /** Is a query parameter: it is written as text, and may be omitted. */
  readonly query?: boolean;
}

/** May be omitted, but not be null. `IsOptional` is for fields that may be null. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);

/** A field that is described and not checked: one of an answer. */
export function describeField(
  schema: FieldSchema,
  { optional, nullable, default: standard, example }: DescribedOptions = {},
): PropertyDecorator {
  const described = {
    ...schema,
    nullable,
    default: standard,
    example,
    required: optional === true ? false : undefined,
  };
  return ApiProperty(withoutUndefined(described));
}

/**
 * A field of a request: described by the schema and checked by the rules, which are named in the order in which they are meant to be
 * read. The kinds of this folder are made with it; a kind that only one module has is made there:
 *
 * ```ts
 * export const EmailAddress = (options?: FieldOptions) =>
 *   field({ type: String, format: 'email' }, [Trimmed(), IsString(), Matches(EMAIL)], options);
 * ```
 */
export function field(
  schema: FieldSchema,
  rules: readonly PropertyDecorator[],
  { query = false, ...options }: FieldOptions = {},
): PropertyDecorator {
  const optional = options.optional === true || query;
  const described = describeField(schema, { ...options, optional });
  // As a stack of decorators works, from the last one up: class-validator names the problems of a field in this order.
  return applyDecorators(
    ...[described, ...presence(optional, query || options.nullable === true), ...rules].toReversed(),
  );
}

function presence(optional: boolean, nullable: boolean): PropertyDecorator[] {
  if (optional) return [nullable ? IsOptional() : IfPresent()];
  return nullable ? [ValidateIf((_object, value: unknown) => value !== null)] : [];
}

/** The entries that are given, in the order of the object. */
export function withoutUndefined(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** The rules whose bound is given. */
export function given(...rules: readonly (PropertyDecorator | false | undefined)[]): PropertyDecorator[] {
  return rules.filter((rule) => rule !== false && rule !== undefined);
}
