import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILURES, mayPass } from './failure-codes.js';

const DESCRIPTION = new URL('../../../docs/openapi.json', import.meta.url);

interface Description {
  readonly components: {
    readonly schemas: {
      readonly DocumentErrorDto: { readonly properties: { readonly code: { readonly description: string } } };
    };
  };
}

describe('reasons of failures', () => {
  it('are those that the description of the interface lists', () => {
    const { components } = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as Description;
    const { description } = components.schemas.DocumentErrorDto.properties.code;
    const listed = [...description.matchAll(/^- `([\w.]+)`:/gm)].map(([, code]) => code!);
    expect(listed.length).toBeGreaterThan(10);
    expect([...FAILURES].toSorted()).toEqual(listed.toSorted());
  });
});

it('another attempt is offered where the reason may have gone, not where it lies in the file', () => {
  expect(FAILURES.filter((code) => !mayPass(code))).toEqual([
    'EMPTY_FILE',
    'UNSUPPORTED_TYPE',
    'TYPE_MISMATCH',
    'MALFORMED',
    'ENCRYPTED',
  ]);
  expect(mayPass(undefined)).toBe(true);
});
