import { readFile } from 'node:fs/promises';
import wabt from 'wabt';
import { expect, it } from 'vitest';

const at = (name: string): URL => new URL(name, import.meta.url);

it('is what the text beside it assembles to', async () => {
  const { parseWat } = await wabt();
  const module = parseWat('dot-products.wat', await readFile(at('dot-products.wat'), 'utf8'), { simd: true });
  const bytes = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const source = `/** The assembled dot-products.wat, in base64. */\nexport const DOT_PRODUCTS =\n  '${bytes}';\n`;
  await expect(source).toMatchFileSnapshot('dot-products.wasm.ts');
});
