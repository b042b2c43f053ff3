import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';

vi.mock('./i18n', () => ({
  t: (key: string, values: object = {}) => [key, ...Object.values(values).map(String)].join(' '),
  currentLanguage: () => 'en',
}));

interface Problems {
  readonly Problem: new (status: number, body: object) => Error;
}
interface Words {
  weakPasswordWords(error: unknown): string | undefined;
}

// By their paths: the types of the page are not those of its specs.
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { Problem } = (await import(at('../api/problem.ts'))) as Problems;
const { weakPasswordWords } = (await import(at('password-words.ts'))) as Words;

it('a password that is too weak is called so once', () => {
  const said = (detail: string, pointer = '/password'): string | undefined =>
    weakPasswordWords(new Problem(422, { errors: [{ pointer, code: 'min_length', detail }] }));
  expect(said('password must be longer than or equal to 8 characters')).toBe(
    'password.fault must be longer than or equal to 8 characters',
  );
  expect(said('new_password must be longer', '/new_password')).toBe('password.fault must be longer');
  expect(said('is among the most common ones')).toBe('password.fault is among the most common ones');
  expect(said('is taken', '/email')).toBeUndefined();
});
