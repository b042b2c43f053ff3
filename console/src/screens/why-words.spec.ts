import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

interface Words {
  triedWords(suggestion: { rank: number; is_refused: boolean | null }, explanation: { answer: object | null }): string;
}

vi.mock('../texts/i18n', () => ({
  t: (key: string, values: object = {}) => [key, ...Object.values(values).map(String)].join(' '),
  currentLanguage: () => 'en',
  formatNumber: String,
}));

// By its path: the types of the page are not those of its specs.
const { triedWords } = (await import(fileURLToPath(new URL('why-words.ts', import.meta.url)))) as Words;

describe('what a suggestion brought', () => {
  const said = (isRefused: boolean | null, measure = 'answered'): string =>
    triedWords({ rank: 3, is_refused: isRefused }, { answer: { measure: { name: measure } } });

  it('is its place alone where no answer was tried', () => {
    expect(said(null)).toBe('why.tried 3');
  });

  it('is said before it is applied, also where the question stays refused', () => {
    expect(said(true)).toBe('why.triedRefused 3');
    expect(said(false)).toBe('why.triedAnswered 3');
  });

  it('promises no answer of a model that may decline', () => {
    expect(said(false, 'evidence')).toBe('why.triedEnough 3');
  });
});
