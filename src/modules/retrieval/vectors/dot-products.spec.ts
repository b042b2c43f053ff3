import { readFile } from 'node:fs/promises';
import wabt from 'wabt';
import { expect, it } from 'vitest';
import { DOT_PRODUCTS } from './vector-memory.service.js';

it('is what its text assembles to', async () => {
  const { parseWat } = await wabt();
  const text = await readFile(new URL('dot-products.wat', import.meta.url), 'utf8');
  const { buffer } = parseWat('dot-products.wat', text, { simd: true }).toBinary({});
  expect(DOT_PRODUCTS).toBe(Buffer.from(buffer).toString('base64'));
});
