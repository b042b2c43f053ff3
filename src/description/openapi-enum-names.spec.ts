import type { OpenAPIObject } from '@nestjs/swagger';
import { describe, expect, it } from 'vitest';
import { nameEnumValues } from './openapi-enum-names.js';

function namesOf(...values: unknown[]): unknown {
  const document = { paths: { '/x': { get: { parameters: [{ schema: { enum: values } }] } } } };
  const [parameter] = (nameEnumValues(document as unknown as OpenAPIObject) as unknown as typeof document).paths['/x']
    .get.parameters;
  return (parameter!.schema as Record<string, unknown>)['x-enum-varnames'];
}

describe('names of the values of enumerations', () => {
  it('are given where a value is no identifier, to all values in their order', () => {
    expect(namesOf('in', 'not in', '=', '≠', '≥')).toEqual(['In', 'NotIn', 'Equal', 'NotEqual', 'GreaterOrEqual']);
    expect(namesOf('created_at', '-created_at')).toEqual(['CreatedAt', 'CreatedAtDescending']);
    expect(namesOf('document.completed', 'webhook.test')).toEqual(['DocumentCompleted', 'WebhookTest']);
    expect(namesOf('2025-11-25', '2.0')).toEqual(['V2025_11_25', 'V2_0']);
    expect(namesOf(1, null)).toEqual(['V1', 'Null']);
  });

  it('are left out where every value is one', () => {
    expect(namesOf('asc', 'desc', null)).toBeUndefined();
  });

  it('are refused where two values would share one', () => {
    expect(() => namesOf('a.b', 'a-b')).toThrow('Two values of an enumeration have one name: AB, AB');
  });
});
