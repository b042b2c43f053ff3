import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import type { CatalogueError } from '#libs/common';
import { QueryInteger, QueryList } from './fields/query.js';
import { toProblem } from './problem.js';
import { findBrokenText, RequestValidationPipe, validationFailed } from './validation.js';

class Part {
  @IsString()
  @Length(1, 10)
  text!: string;
}

class Body {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @IsString({ each: true })
  dataset_ids!: string[];

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Part)
  parts?: Part[];

  @IsOptional()
  @IsInt()
  count?: number;
}

async function refusalOf(body: unknown): Promise<CatalogueError> {
  const judged = new RequestValidationPipe().transform(body, { type: 'body', metatype: Body });
  return judged.then(
    () => {
      throw new Error('The body was accepted.');
    },
    (error: unknown) => error as CatalogueError,
  );
}

describe('a field that is missing', () => {
  it('is one problem, whatever rules it has', async () => {
    const error = await refusalOf({});
    expect(error.errors).toEqual([{ pointer: '/dataset_ids', code: 'required', detail: 'dataset_ids is missing' }]);
    expect(error.message).toBe('dataset_ids is missing.');
  });

  it('is named with its place when it is inside of another', async () => {
    const error = await refusalOf({ dataset_ids: ['a'], parts: [{ text: 'x' }, {}], count: 'many' });
    expect(error.errors).toEqual([
      { pointer: '/parts/1/text', code: 'required', detail: 'text is missing' },
      { pointer: '/count', code: 'is_int', detail: 'count must be an integer number' },
    ]);
    expect(error.message).toBe('/parts/1/text: text is missing; count must be an integer number.');
  });

  it('is not one that is null or of another type', async () => {
    const error = await refusalOf({ dataset_ids: null });
    expect(error.errors?.map(({ code }) => code)).toContain('is_array');
    expect(error.errors?.map(({ code }) => code)).not.toContain('required');
  });
});

class Query {
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(100)
  skip?: number;

  @IsOptional()
  @IsString()
  @MaxLength(5)
  q?: string;

  @IsOptional()
  @QueryList()
  @ArrayMaxSize(1)
  @MaxLength(5, { each: true })
  tags?: string[];
}

describe('a value of another type', () => {
  const problemsOf = async (sent: unknown, type: 'body' | 'query' = 'query'): Promise<unknown> =>
    new RequestValidationPipe().transform(sent, { type, metatype: type === 'query' ? Query : Body }).then(
      () => [],
      (error: unknown) => (error as CatalogueError).errors?.map(({ pointer, code }) => `${pointer} ${code}`),
    );

  it.each(['abc', '1.5', '', '0x10', ' 10'])('is one problem, whatever bounds the number has: %j', async (skip) => {
    expect(await problemsOf({ skip })).toEqual(['/skip is_int']);
  });

  it('is one problem where a list is wanted', async () => {
    expect(await problemsOf({ dataset_ids: 'x' }, 'body')).toEqual(['/dataset_ids is_array']);
  });

  it('leaves the bounds of numbers that are measured', async () => {
    expect(await problemsOf({ skip: '-1' })).toEqual(['/skip min']);
    expect(await problemsOf({ skip: '101' })).toEqual(['/skip max']);
    expect(await problemsOf({ skip: '99999999999999999999' })).toContain('/skip max');
  });

  it('is one that was given more often than once in a query', async () => {
    expect(await problemsOf({ skip: ['5', '6'], q: ['a', 'b'] })).toEqual(['/skip is_single', '/q is_single']);
  });

  it('is not a list of a query that breaks the rules of its values', async () => {
    expect(await problemsOf({ tags: ['a', 'too long'] })).toEqual(['/tags max_length', '/tags array_max_size']);
  });
});

describe('a problem body', () => {
  const shown = (pointer: string): unknown =>
    toProblem(validationFailed([{ pointer, code: 'c', detail: 'is wrong' }]) as CatalogueError, '/x', 'r').error;

  it.each([
    ['/messages/0/content', 'messages[0].content'],
    ['/metadata/a~1b~0c', 'metadata.a/b~c'],
    ['/0/id', '[0].id'],
    ['grant_type', 'grant_type'],
    ['', null],
  ])('says the same in the shape of OpenAI, with the field %j as %j', (pointer, param) => {
    expect(shown(pointer)).toEqual({
      message: `${pointer || 'body'}: is wrong.`,
      type: 'invalid_request_error',
      param,
      code: 'http.validation_failed',
    });
  });
});

describe('text that cannot be kept', () => {
  it('is found at its place, names of fields included', () => {
    expect(findBrokenText({ a: ['fine', '\u0000'], 'b/c': { '\ud800': 1 } }, '/body')).toMatchObject([
      { pointer: '/body/a/1', code: 'well_formed_text' },
      { pointer: '/body/b~1c', code: 'well_formed_text' },
    ]);
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ inner })],
  ])('is not looked for deeper than 32 levels, however deep %s are', (_what, wrap) => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = wrap(deep);
    expect(findBrokenText(deep, '')).toMatchObject([{ code: 'max_depth' }]);
    let shallow: unknown = 'x';
    for (let level = 0; level < 32; level += 1) shallow = wrap(shallow);
    expect(findBrokenText(shallow, '')).toEqual([]);
  });
});
