import { createRequire } from 'node:module';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Storage = typeof import('class-transformer/types/storage.js');
// The package exports its decorators' records under no other name.
const { defaultMetadataStorage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as Storage;

/** A class of requests, as `@Body()` and `@Query()` name it. */
export type DtoClass = new () => object;

/** What the decorators of a property say. */
export interface DtoField {
  /** Class of a nested object, or of the members of a list. */
  readonly nested: DtoClass | undefined;
  /** Most members of a list. */
  readonly maxItems: number | undefined;
  /** Functions of `@Transform`, in their order. */
  readonly transforms: readonly ((given: TransformGiven) => unknown)[];
}

interface TransformGiven {
  readonly value: unknown;
  readonly key: string;
  readonly obj: unknown;
}

export type DtoShape = ReadonlyMap<string, DtoField>;

const shapes = new WeakMap<DtoClass, DtoShape>();
/** `TransformationType.PLAIN_TO_CLASS`. */
const FROM_PLAIN = 0;

/** The properties that a class knows: those that have a validator. */
export function shapeOf(type: DtoClass): DtoShape {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, type.name, false, false);
  const shape = new Map<string, DtoField>();
  for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
    const own = rules.filter(({ propertyName }) => propertyName === name);
    const isNested = own.some((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
    const limits = own.filter((rule) => rule.name === 'arrayMaxSize').map((rule) => Number(rule.constraints[0]));
    shape.set(name, {
      nested: isNested ? nestedClass(type, name) : undefined,
      maxItems: limits.length === 0 ? undefined : Math.min(...limits),
      transforms: transformsOf(type, name),
    });
  }
  shapes.set(type, shape);
  return shape;
}

function nestedClass(type: DtoClass, name: string): DtoClass | undefined {
  const metadata = defaultMetadataStorage.findTypeMetadata(type, name);
  return metadata?.typeFunction?.() as DtoClass | undefined;
}

function transformsOf(type: DtoClass, name: string): DtoField['transforms'] {
  const found = defaultMetadataStorage.findTransformMetadatas(type, name, FROM_PLAIN);
  return found.map(({ transformFn }) => transformFn as unknown as (given: TransformGiven) => unknown);
}
