import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';
import { findUnknownFields, toDto } from './to-dto.js';
import { RequestValidationPipe, TolerateUnknownFields } from './validation.js';

class Inner {
  @IsInt()
  n!: number;
}

class Outer {
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  name: string = 'nobody';

  @IsOptional()
  @IsObject()
  data?: object;

  @IsOptional()
  @ValidateNested()
  @Type(() => Inner)
  one?: Inner;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(3)
  @ArrayUnique()
  @ValidateNested({ each: true })
  @Type(() => Inner)
  many?: Inner[];
}

@TolerateUnknownFields()
class Tolerant {
  @ValidateNested()
  @Type(() => Inner)
  one!: Inner;
}

@TolerateUnknownFields(['one'])
class TolerantButInOne extends Tolerant {}

const judge = (type: new () => object, value: unknown): Promise<unknown> =>
  new RequestValidationPipe().transform(value, { type: 'body', metatype: type });

describe('a request as its class', () => {
  it('has its defaults, its transforms and its nested classes, and data as it was sent', () => {
    const data = { a: { b: [1] } };
    const dto = toDto(Outer, { name: ' x ', data, one: { n: 1 }, many: [{ n: 2 }, null, 5] }) as Outer;
    expect(dto).toMatchObject({ name: 'x', one: { n: 1 }, many: [{ n: 2 }, null, 5] });
    expect(dto.data).toBe(data);
    expect([dto, dto.one, dto.many?.[0]].map((part) => part?.constructor)).toEqual([Outer, Inner, Inner]);
    expect(toDto(Outer, {})).toEqual({ name: 'nobody' });
  });

  it('keeps of a list that is too long one member more than allowed, so that its length is what is wrong', async () => {
    const many = Array.from({ length: 5_000 }, () => ({ n: 'x', stray: 1 }));
    expect((toDto(Outer, { many }) as Outer).many).toHaveLength(4);
    await expect(judge(Outer, { many })).rejects.toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: '/many', code: 'array_max_size' }),
      ]) as unknown,
    });
  });
});

describe('fields that a class does not know', () => {
  it('are found at any depth of classes, and not in data', () => {
    const plain = { 'a/b': 1, data: { anything: 1 }, one: { n: 1, m: 2 }, many: [{ n: 1 }, { k: 1 }] };
    expect(findUnknownFields(Outer, plain)).toEqual([
      { pointer: '/a~1b', code: 'whitelist_validation', detail: 'property a/b should not exist' },
      { pointer: '/one/m', code: 'whitelist_validation', detail: 'property m should not exist' },
      { pointer: '/many/1/k', code: 'whitelist_validation', detail: 'property k should not exist' },
    ]);
  });

  it('are told together with broken rules: at most 20, and their number', async () => {
    const plain = { ...Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 1])), name: 5 };
    await expect(judge(Outer, plain)).rejects.toMatchObject({
      errors: { length: 20 },
      errorCount: 3_001,
      message: expect.stringContaining('(and 2998 more)') as unknown,
    });
    await expect(judge(Outer, { x: 1, name: 5 })).rejects.toMatchObject({
      errors: [{ pointer: '/x' }, { pointer: '/name', code: 'is_string' }],
    });
  });

  it('are left out of a class that tolerates them', async () => {
    await expect(judge(Tolerant, { x: 1, one: { n: 1, y: 2 } })).resolves.toEqual({ one: { n: 1 } });
  });

  it('are refused in those fields of such a class that it names', async () => {
    await expect(judge(TolerantButInOne, { x: 1, one: { n: 1 } })).resolves.toEqual({ one: { n: 1 } });
    await expect(judge(TolerantButInOne, { x: 1, one: { n: 1, y: 2 } })).rejects.toMatchObject({
      errors: [{ pointer: '/one/y' }],
    });
  });

  it('may be called like something that every object has', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      await expect(judge(Outer, { [name]: 1 })).rejects.toMatchObject({ errors: [{ pointer: `/${name}` }] });
    }
  });
});
