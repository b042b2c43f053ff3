import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import type { CatalogueError } from '#libs/common';
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
