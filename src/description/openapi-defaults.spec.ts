import type { OpenAPIObject } from '@nestjs/swagger';
import { expect, it } from 'vitest';
import { moveDefaults } from './openapi-defaults.js';

it('a default beside alternatives goes to the one that names it, and others stay', () => {
  const words = { type: 'string', enum: ['auto'] };
  const copyOf = (value: object): object => JSON.parse(JSON.stringify(value)) as object;
  const schemas = {
    rows: { anyOf: [{ type: 'integer' }, words], default: 'auto' },
    other: { anyOf: [{ type: 'integer' }, words], default: 3 },
    plain: { type: 'string', enum: ['auto'], default: 'auto' },
  };
  const document = copyOf({ components: { schemas } }) as OpenAPIObject;
  expect(moveDefaults(document).components?.schemas).toEqual({
    ...schemas,
    rows: { anyOf: [{ type: 'integer' }, { ...words, default: 'auto' }] },
  });
});
