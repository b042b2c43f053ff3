import { describe, expect, it } from 'vitest';
import { goldenCopies } from './golden-copies.js';

/** A change that is meant is written with `vitest run --project e2e test/architecture/golden-copies --update`, and read in the diff. */
describe('what others rely on is as its golden copy says', () => {
  it.each(goldenCopies())('$name', async ({ name, lines }) => {
    expect(lines.length).toBeGreaterThan(5);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});
