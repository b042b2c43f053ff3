import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';

vi.mock('../texts/i18n', () => ({ t: (key: string) => key, currentLanguage: () => 'en' }));

interface Words {
  hiddenWords(code: string, detail: string): string | undefined;
}

// By its path: the types of the page are not those of its specs.
const { hiddenWords } = (await import(fileURLToPath(new URL('code-words.ts', import.meta.url)))) as Words;

it('says of hidden parts of a file whether they were read', () => {
  const cells = '4 cells that a reader does not see (2 hidden rows)';
  const read = 'are in the text; `parsing.hidden: exclude` leaves them out.';
  expect(hiddenWords('HIDDEN_CELLS', `${cells} ${read}`)).toBe('hidden.read');
  expect(hiddenWords('HIDDEN_CELLS', `${cells} were left out.`)).toBe('hidden.leftOut');
  expect(hiddenWords('HIDDEN_CELLS', '1 cell that a reader does not see () was left out.')).toBe('hidden.leftOut');
  const slides = '1 slides and 0 texts of shapes that the presentation does not show';
  expect(hiddenWords('HIDDEN_SLIDES', `${slides} ${read}`)).toBe('hidden.read');
  expect(hiddenWords('HIDDEN_SLIDES', `${slides} were left out.`)).toBe('hidden.leftOut');
  expect(hiddenWords('STRUCK_OUT_TEXT', 'Words were left out.')).toBeUndefined();
});

it.each(['sheets/hidden-cells.ts', 'slides/hidden-slides.ts'])('%s still says it in these words', (file) => {
  const source = readFileSync(new URL(`../../../libs/parsing/src/${file}`, import.meta.url), 'utf8');
  const sentences = source.replaceAll(/\\?`/g, '').replaceAll(/\$\{isOne \? '\w+' : '(\w+)'\}/g, '$1');
  expect(sentences).toContain('were left out');
  expect(sentences).toContain('are in the text; parsing.hidden: exclude leaves them out');
});
