import type { FieldProblem } from '#libs/common';
import { shapeOf, type DtoClass, type DtoField } from './dto-shape.js';

/**
 * An instance of the class with the properties that it declares, in time linear in the size of the request. Nested JSON data stays as it is; of a
 * list that is too long, one member more than allowed is kept, so that its length is refused. `plainToInstance` of class-transformer takes
 * quadratic time for objects with many members.
 */
export function toDto(type: DtoClass, plain: unknown): unknown {
  if (Array.isArray(plain)) return plain.map((item) => (Array.isArray(item) ? item : toDto(type, item)));
  if (typeof plain !== 'object' || plain === null) return plain;
  const dto = new type() as Record<string, unknown>;
  for (const [name, field] of shapeOf(type)) {
    if (Object.hasOwn(plain, name)) dto[name] = valueOf(plain as Readonly<Record<string, unknown>>, name, field);
  }
  return dto;
}

function valueOf(plain: Readonly<Record<string, unknown>>, name: string, field: DtoField): unknown {
  let value: unknown = shortened(plain[name], field);
  if (field.nested !== undefined) value = toDto(field.nested, value);
  for (const transform of field.transforms) value = transform({ value, key: name, obj: plain });
  return shortened(value, field);
}

function shortened(value: unknown, { maxItems }: DtoField): unknown {
  return Array.isArray(value) && maxItems !== undefined ? value.slice(0, maxItems + 1) : value;
}

/** A problem for each member that the class, or the class of a nested object, does not declare. */
export function findUnknownFields(type: DtoClass, plain: unknown, pointer = ''): FieldProblem[] {
  if (Array.isArray(plain)) {
    return plain.flatMap((item, index) =>
      Array.isArray(item) ? [] : findUnknownFields(type, item, `${pointer}/${index}`),
    );
  }
  if (typeof plain !== 'object' || plain === null) return [];
  const shape = shapeOf(type);
  return Object.entries(plain).flatMap(([name, value]): FieldProblem[] => {
    const field = shape.get(name);
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (field === undefined) {
      return [{ pointer: at, code: 'whitelist_validation', detail: `property ${name} should not exist` }];
    }
    return field.nested === undefined ? [] : findUnknownFields(field.nested, shortened(value, field), at);
  });
}
