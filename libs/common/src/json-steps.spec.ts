import { describe, expect, it } from 'vitest';
import { jsonBytes, jsonSteps } from './json-steps.js';
import { finish } from './steps.js';

const LARGE = Array.from({ length: 1_000 }, (_, n) => ({ n, text: `"${n}" <\u2028>`, nothing: undefined, list: [n] }));

describe('JSON with pauses', () => {
  it.each([
    {},
    { a: 1, b: null, c: undefined, d: 'text', e: { f: [1, 2] }, g: [] },
    { list: [undefined, null, 1] },
    { at: new Date(0), lists: [LARGE, LARGE.slice(0, 32), LARGE.slice(0, 33)], more: LARGE.slice(0, 64) },
    { large: LARGE },
  ])('is that of JSON.stringify', (value) => {
    expect(finish(jsonSteps(value))).toBe(JSON.stringify(value));
    expect(finish(jsonBytes(value)).toString('utf8')).toBe(JSON.stringify(value));
  });

  it('pauses within a long list', () => {
    const steps = jsonSteps({ large: LARGE });
    let pauses = 0;
    while (steps.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan(LARGE.length / 40);
  });
});
