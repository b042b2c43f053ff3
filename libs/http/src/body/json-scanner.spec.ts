import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner, type JsonBounds } from './json-scanner.js';

const WIDE: JsonBounds = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

/** What `JSON.parse` made of it: how many values, and how deep. */
function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 };
  const inner = Object.values(value).map(measure);
  return {
    values: inner.reduce((sum, { values }) => sum + values, 1),
    depth: Math.max(0, ...inner.map(({ depth }) => depth)) + 1,
  };
}

function scan(text: string, bounds: Partial<JsonBounds>, pieceLength = 3): string | undefined {
  const scanner = new JsonScanner({ ...WIDE, ...bounds });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) {
    const exceeded = scanner.scan(bytes.subarray(at, at + pieceLength));
    if (exceeded !== undefined) return exceeded;
  }
  return undefined;
}

describe('the scanner of JSON', () => {
  it('counts as many values, as deep, as the parser makes, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), fc.constantFrom(undefined, 1), (json, piece, indent) => {
        const parsed: unknown = JSON.parse(json);
        const text = JSON.stringify(parsed, null, indent);
        const { values, depth } = measure(parsed);
        expect(scan(text, { values, depth }, piece)).toBeUndefined();
        expect(scan(text, { values: values - 1 }, piece)).toBe('values');
        if (depth > 0) expect(scan(text, { depth: depth - 1 }, piece)).toBe('depth');
      }),
    );
  });

  it('is not misled by brackets, commas and quotes in texts', () => {
    expect(scan(String.raw`{"a,[{\"":"\\",  "b":"[[[[{{{{,,,,\"" }`, { values: 3, depth: 1 })).toBeUndefined();
  });

  it('stops at the value beyond the bound, before the rest has come', () => {
    const scanner = new JsonScanner({ values: 3, depth: 32 });
    expect(scanner.scan(Buffer.from('[1,'))).toBeUndefined();
    expect(scanner.scan(Buffer.from('2,3'))).toBe('values');
  });
});
