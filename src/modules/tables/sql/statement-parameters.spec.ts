import { describe, expect, it } from 'vitest';
import { readParameters } from './statement-parameters.js';

describe('parameters of a statement', () => {
  it.each([
    [undefined, []],
    [null, []],
    [
      [1, 'a', true, null],
      [1, 'a', true, null],
    ],
    [{ a: 1.5 }, { a: 1.5 }],
    [
      [9_007_199_254_740_991, 1e21, 1e308],
      [9_007_199_254_740_991, 1e21, 1e308],
    ],
  ])('are read from %j', (params, read) => {
    expect(readParameters(params)).toEqual(read);
  });

  it.each([
    [3, '/params', 'is_parameters'],
    ['?', '/params', 'is_parameters'],
    [[{}], '/params/0', 'is_value'],
    [[[1]], '/params/0', 'is_value'],
    [JSON.parse('[9007199254740993]'), '/params/0', 'is_exact'],
    [{ n: -1e20 }, '/params/n', 'is_exact'],
    [{ '1a': 1 }, '/params/1a', 'is_parameter_name'],
    [{ 'a/b': 1 }, '/params/a~1b', 'is_parameter_name'],
    [['x'.repeat(10_001)], '/params/0', 'max_length'],
    [Array.from({ length: 101 }, () => 1), '/params', 'max_items'],
  ])('are refused where they are %j', (params, pointer, code) => {
    const read = (): unknown => readParameters(params);
    expect(read).toThrow(
      expect.objectContaining({ status: 422, errors: [expect.objectContaining({ pointer, code })] }) as Error,
    );
  });
});
