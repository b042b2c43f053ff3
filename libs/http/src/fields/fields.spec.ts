import { describe, expect, it } from 'vitest';
import { RequestValidationPipe } from '../validation.js';
import { Answer } from './answer.js';
import { Choice } from './choice.js';
import { Choices, Json, Nested, NestedList, Uuids } from './list.js';
import { Decimal, Flag, Integer } from './number.js';
import { PageOf } from './page-of.js';
import { Instant, Text, TextOf, Uuid } from './text.js';

const ID = '0199c0de-0000-7000-8000-000000000001';
const COLOURS = ['red', 'blue'] as const;

type Dto = new () => object;

/** A class with one field `value`. */
function withField(decorator: PropertyDecorator): Dto {
  class OneField {
    value: unknown;
  }
  decorator(OneField.prototype, 'value');
  return OneField;
}

/** How a field is described: what `@ApiProperty` was told. */
function described(type: Dto, name = 'value'): Record<string, unknown> {
  const { type: kind, ...rest } = Reflect.getMetadata(
    'swagger/apiModelProperties',
    type.prototype as object,
    name,
  ) as Record<string, unknown>;
  return { type: kind, ...rest };
}

/** What a request with this value becomes, or the codes and details of its problems. */
async function send(decorator: PropertyDecorator, body: object): Promise<unknown> {
  try {
    const dto = await new RequestValidationPipe().transform(body, { type: 'body', metatype: withField(decorator) });
    return (dto as { value: unknown }).value;
  } catch (error) {
    const { errors } = error as { errors: { code: string; detail: string }[] };
    return errors.map(({ code, detail }) => `${code}: ${detail}`);
  }
}

describe('a field of a request', () => {
  it('is required and not null unless it says otherwise', async () => {
    expect(await send(Uuid(), {})).toEqual(['required: value is missing']);
    expect(await send(Uuid(), { value: null })).toEqual(['is_uuid: value must be a UUID']);
    expect(await send(Uuid({ optional: true }), {})).toBeUndefined();
    expect(await send(Uuid({ optional: true }), { value: null })).toEqual(['is_uuid: value must be a UUID']);
    expect(await send(Uuid({ nullable: true }), { value: null })).toBeNull();
    expect(await send(Uuid({ nullable: true }), {})).toEqual(['required: value is missing']);
    expect(await send(Uuid({ optional: true, nullable: true }), { value: null })).toBeNull();
    expect(described(withField(Uuid()))).toMatchObject({ type: String, format: 'uuid' });
    expect(described(withField(Uuid({ optional: true, nullable: true })))).toMatchObject({
      nullable: true,
      required: false,
    });
    expect(described(withField(Uuid({ query: true })))).toMatchObject({ required: false });
  });

  it('names the default and the example in the description alone', async () => {
    const decorator = Text({ optional: true, max: 9, default: 'one', example: 'two' });
    expect(described(withField(decorator))).toMatchObject({ default: 'one', example: 'two' });
    expect(await send(decorator, {})).toBeUndefined();
  });
});

describe('Text', () => {
  it('has a least and a greatest length, each a rule of its own', async () => {
    const decorator = Text({ min: 2, max: 3 });
    expect(described(withField(decorator))).toMatchObject({ type: String, minLength: 2, maxLength: 3 });
    expect(await send(decorator, { value: 'abc' })).toBe('abc');
    expect(await send(decorator, { value: 'a' })).toEqual([
      'min_length: value must be longer than or equal to 2 characters',
    ]);
    expect(await send(decorator, { value: 5 })).toEqual([
      'max_length: value must be shorter than or equal to 3 characters',
      'min_length: value must be longer than or equal to 2 characters',
      'is_string: value must be a string',
    ]);
  });

  it('has both lengths as one rule', async () => {
    const decorator = Text({ length: [1, 3] });
    expect(described(withField(decorator))).toMatchObject({ minLength: 1, maxLength: 3 });
    expect(await send(decorator, { value: 'abcd' })).toEqual([
      'is_length: value must be shorter than or equal to 3 characters',
    ]);
  });

  it('holds more than white space', async () => {
    const decorator = Text({ filled: true, max: 9 });
    expect(described(withField(decorator))).toMatchObject({ minLength: 1, maxLength: 9, pattern: String.raw`\S` });
    expect(await send(decorator, { value: ' \n ' })).toEqual(['matches: value must contain more than white space']);
    expect(await send(decorator, { value: ' a ' })).toBe(' a ');
  });

  it('describes what it does not check', async () => {
    const decorator = Text({ max: 9, described: { format: 'uri' } });
    expect(described(withField(decorator))).toMatchObject({ maxLength: 9, format: 'uri' });
    expect(await send(decorator, { value: 'no uri' })).toBe('no uri');
  });

  it('has a form', async () => {
    const decorator = TextOf('^[a-z]+$', '$property must be a lower-case word');
    expect(described(withField(decorator))).toMatchObject({ type: String, pattern: '^[a-z]+$' });
    expect(await send(decorator, { value: 'word' })).toBe('word');
    expect(await send(decorator, { value: 'Word' })).toEqual(['matches: value must be a lower-case word']);
  });
});

describe('Instant', () => {
  it('is a moment of RFC 3339', async () => {
    expect(described(withField(Instant()))).toMatchObject({ type: String, format: 'date-time' });
    expect(await send(Instant(), { value: '2026-01-02T03:04:05Z' })).toBe('2026-01-02T03:04:05Z');
    expect(await send(Instant(), { value: '2026-01-02' })).toEqual(['is_rfc3339: value must be RFC 3339 date']);
    expect(await send(Instant(), { value: '2028-02-29T23:59:59+01:00' })).toBe('2028-02-29T23:59:59+01:00');
    expect(await send(Instant(), { value: '2027-02-29T00:00:00Z' })).toEqual([
      'is_moment: value must be an existing time in the years 1 to 9999',
    ]);
  });
});

describe('Integer and Decimal', () => {
  it('have a least and a greatest value', async () => {
    expect(described(withField(Integer({ min: 0, max: 5 })))).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: 5,
    });
    expect(described(withField(Decimal({ min: 0, max: 1 })))).toMatchObject({ type: Number, minimum: 0, maximum: 1 });
    expect(await send(Integer({ min: 0, max: 5 }), { value: 6 })).toEqual(['max: value must not be greater than 5']);
    expect(await send(Integer(), { value: 0.5 })).toEqual(['is_int: value must be an integer number']);
    expect(await send(Decimal({ min: 0, max: 1 }), { value: 0.5 })).toBe(0.5);
    expect(await send(Decimal(), { value: '0.5' })).toEqual([
      'is_number: value must be a number conforming to the specified constraints',
    ]);
  });

  it('are read from a query, where an integer is written in digits', async () => {
    expect(await send(Integer({ query: true }), { value: '12' })).toBe(12);
    expect(await send(Integer({ query: true }), { value: '1e1' })).toEqual(['is_int: value must be an integer number']);
    expect(await send(Integer(), { value: '12' })).toEqual(['is_int: value must be an integer number']);
    expect(await send(Integer({ query: true }), {})).toBeUndefined();
  });
});

describe('Flag', () => {
  it('is true or false, as text in a query only', async () => {
    expect(described(withField(Flag({ optional: true, default: false })))).toMatchObject({
      type: Boolean,
      default: false,
      required: false,
    });
    expect(await send(Flag(), { value: false })).toBe(false);
    expect(await send(Flag(), { value: 'false' })).toEqual(['is_boolean: value must be a boolean value']);
    expect(await send(Flag({ query: true }), { value: 'false' })).toBe(false);
    expect(await send(Flag({ query: true }), { value: 'yes' })).toEqual(['is_boolean: value must be a boolean value']);
  });
});

describe('Choice and Choices', () => {
  it('take the values alone', async () => {
    expect(described(withField(Choice(COLOURS, { name: 'Colour' })))).toMatchObject({
      enum: ['red', 'blue'],
      enumName: 'Colour',
    });
    expect(await send(Choice(COLOURS), { value: 'red' })).toBe('red');
    expect(await send(Choice(COLOURS), { value: 'RED' })).toEqual([
      'is_in: value must be one of the following values: red, blue',
    ]);
  });

  it('take each value at most once where they are to be unique, and no more than there are', async () => {
    const decorator = Choices(COLOURS, { min: 1, unique: true });
    expect(described(withField(decorator))).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: ['red', 'blue'] },
      minItems: 1,
      uniqueItems: true,
    });
    expect(await send(decorator, { value: ['blue'] })).toEqual(['blue']);
    expect(await send(decorator, { value: ['blue', 'blue'] })).toEqual([
      "array_unique: All value's elements must be unique",
    ]);
    expect(await send(decorator, { value: [] })).toEqual(['array_min_size: value must contain at least 1 elements']);
    expect(await send(Choices(COLOURS), { value: ['red', 'red', 'red'] })).toEqual([
      'array_max_size: value must contain no more than 2 elements',
    ]);
  });
});

describe('Uuids', () => {
  it('are a list with bounds', async () => {
    const decorator = Uuids({ min: 1, max: 2 });
    expect(described(withField(decorator))).toMatchObject({ type: String, isArray: true, format: 'uuid', maxItems: 2 });
    expect(await send(decorator, { value: [ID] })).toEqual([ID]);
    expect(await send(decorator, { value: ['x'] })).toEqual(['is_uuid: each value in value must be a UUID']);
    expect(await send(decorator, { value: [ID, ID, ID] })).toEqual([
      'array_max_size: value must contain no more than 2 elements',
    ]);
  });
});

describe('Nested, NestedList and Json', () => {
  class Inner {
    @Integer({ min: 0 })
    n!: number;
  }

  it('check the fields of an object', async () => {
    expect(await send(Nested(Inner), { value: { n: 1 } })).toEqual({ n: 1 });
    expect(
      await send(
        Nested(() => Inner),
        { value: { n: -1 } },
      ),
    ).toEqual(['min: n must not be less than 0']);
    expect(await send(Nested(Inner), { value: [] })).toContain('is_object: value must be an object');
    expect(await send(Nested(Inner), { value: { n: 1, m: 1 } })).toEqual([
      'whitelist_validation: property m should not exist',
    ]);
    const { type } = described(withField(Nested(() => Inner))) as { type: () => Dto };
    expect(type()).toBe(Inner);
  });

  it('check each object of a list', async () => {
    const decorator = NestedList(Inner, { max: 1 });
    expect(await send(decorator, { value: [{ n: 1 }] })).toEqual([{ n: 1 }]);
    expect(await send(decorator, { value: [{ n: 'x' }] })).toContain('is_int: n must be an integer number');
    expect(await send(decorator, { value: [{ n: 1 }, { n: 1 }] })).toEqual([
      'array_max_size: value must contain no more than 1 elements',
    ]);
    const { type, maxItems } = described(withField(decorator)) as { type: () => Dto[]; maxItems: number };
    expect([type(), maxItems]).toEqual([[Inner], 1]);
  });

  it('take any object', async () => {
    expect(described(withField(Json()))).toMatchObject({ type: 'object', additionalProperties: true });
    expect(await send(Json(), { value: { a: { b: 1 } } })).toEqual({ a: { b: 1 } });
    expect(await send(Json(), { value: 'a' })).toEqual(['is_object: value must be an object']);
  });
});

describe('a field of an answer', () => {
  it('is described as one of a request, and has no rules', async () => {
    class Thing {
      @Answer.Uuid()
      id!: string;

      @Answer.Instant({ nullable: true })
      used_at!: string | null;

      @Answer.Count()
      uses!: number;

      @Answer.Choice(COLOURS)
      colour!: string;
    }
    expect(described(Thing, 'id')).toMatchObject({ type: String, format: 'uuid' });
    expect(described(Thing, 'used_at')).toMatchObject({ type: String, format: 'date-time', nullable: true });
    expect(described(Thing, 'uses')).toMatchObject({ type: 'integer', minimum: 0 });
    expect(described(Thing, 'colour')).toMatchObject({ enum: ['red', 'blue'] });
    const sent = new RequestValidationPipe().transform({ id: 'x' }, { type: 'body', metatype: Thing });
    await expect(sent).rejects.toMatchObject({
      errors: [{ pointer: '/id', code: 'whitelist_validation' }, expect.anything()],
    });
  });
});

describe('PageOf', () => {
  class Row {}

  it('describes the rows and which part of them a page is', () => {
    class RowPage extends PageOf(Row, { items: 'The rows.', total: 'Number of rows.', rows: 'lines' }) {}
    expect(described(RowPage, 'items')).toMatchObject({ type: Row, isArray: true, description: 'The rows.' });
    expect(described(RowPage, 'total')).toMatchObject({ type: 'integer', minimum: 0, description: 'Number of rows.' });
    expect(described(RowPage, 'skip')).toMatchObject({ description: 'Number of lines left out at the beginning.' });
    expect(described(RowPage, 'limit')).toMatchObject({
      minimum: 0,
      description: 'Maximum number of lines in a page.',
    });
  });

  it('names other least values, or none', () => {
    class FromOne extends PageOf(Row, { total: 'Number of rows.', least: { limit: 1 } }) {}
    class FromNowhere extends PageOf(Row, { total: 'Number of rows.', least: null }) {}
    expect(described(FromOne, 'limit')).toMatchObject({ minimum: 1 });
    expect(described(FromNowhere, 'total')).not.toHaveProperty('minimum');
  });
});
