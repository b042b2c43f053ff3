import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isDisplayName, nameKeyOf, type CategoryNode } from '../../datasets/index.js';

/** Maximum length of a path; more than the levels of any category tree. */
const MOST_LEVELS = 16;

/** A category as the names from the root down to it. */
export const CATEGORY_PATH_SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: MOST_LEVELS,
  items: { type: 'string', minLength: 1, maxLength: 128 },
  description: 'Names of the categories from the root down to this one.',
} as const;

/** Validates that a property is a list of names of categories. */
export function IsCategoryPath(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isCategoryPath',
      validator: {
        validate: (value: unknown): boolean =>
          Array.isArray(value) && value.length > 0 && value.length <= MOST_LEVELS && value.every(isDisplayName),
        defaultMessage: buildMessage(
          (each) => `${each}$property must be a list of 1 to ${MOST_LEVELS} names, from the root down to the category`,
          options,
        ),
      },
    },
    options,
  );
}

/** Path of every category of a tree, by its id. */
export function pathsOf(tree: readonly CategoryNode[], parent: readonly string[] = []): Map<string, readonly string[]> {
  return new Map(
    tree.flatMap((node): [string, readonly string[]][] => {
      const path = [...parent, node.name];
      return [[node.id, path], ...pathsOf(node.children, path)];
    }),
  );
}

/** The id of the category at the end of a path; names are compared without regard to case. */
export function findByPath(tree: readonly CategoryNode[], path: readonly string[]): string | undefined {
  const [first, ...rest] = path;
  const node = tree.find(({ name }) => first !== undefined && nameKeyOf(name) === nameKeyOf(first));
  return node === undefined || rest.length === 0 ? node?.id : findByPath(node.children, rest);
}
