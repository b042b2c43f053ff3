import { expect, it } from 'vitest';
import { htmlBeginning } from './html-beginning.js';

it('cuts behind letters that are longer in lower case, and scripts between them, where it is told to', () => {
  const html = `<p>${'İ'.repeat(40)}</p><SCRIPT>var x = 1;</SCRIPT><p>abcdef</p>`;
  expect(htmlBeginning(html, 43)).toBe(html.slice(0, html.indexOf('def')));
  expect(htmlBeginning(html, 46)).toBe(html);
});
