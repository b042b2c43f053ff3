import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

/** The extension by which generators name the values of an enumeration. */
const EXTENSION = 'x-enum-varnames';
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Names of signs, because client generators drop them or write names that do not compile. */
const SIGNS: Readonly<Record<string, string>> = {
  '=': 'Equal',
  '≠': 'NotEqual',
  '>': 'Greater',
  '≥': 'GreaterOrEqual',
  '<': 'Less',
  '≤': 'LessOrEqual',
};

/**
 * Gives every enumeration with a value that is no identifier names for its values, in their order: `document.completed` is
 * `DocumentCompleted`, `-name` (a descending order) `NameDescending`, `2.0` `V2_0`. They begin with a capital letter, so none is a reserved
 * word.
 * @throws TypeError for two values with one name
 */
export function nameEnumValues(document: OpenAPIObject): OpenAPIObject {
  visit(document);
  return document;
}

function visit(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { enum: values } = value as Node;
  if (Array.isArray(values) && values.some((one) => one !== null && !IDENTIFIER.test(String(one)))) {
    (value as Node)[EXTENSION] = namesOf(values);
  }
  for (const [key, inner] of Object.entries(value)) if (key !== 'example' && key !== 'examples') visit(inner);
}

function namesOf(values: readonly unknown[]): string[] {
  const names = values.map((value) => nameOf(String(value)));
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw new TypeError(`Two values of an enumeration have one name: ${names.join(', ')}`);
  }
  return names;
}

function nameOf(value: string): string {
  const sign = SIGNS[value];
  if (sign !== undefined) return sign;
  const [, descends, text = value] = /^(-?)(.*)$/s.exec(value) ?? [];
  // Parts of a number stay apart: 1.11 and 11.1 are not the same.
  const joined = text.replaceAll(/(?<=\d)[^A-Za-z0-9]+(?=\d)/g, '_');
  const words = joined.split(/[^A-Za-z0-9_]+|(?<=[A-Za-z])_/).filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return `${/^\d/.test(name) ? 'V' : ''}${name}${descends === '' ? '' : 'Descending'}`;
}
