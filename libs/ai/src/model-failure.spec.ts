import { describe, expect, it } from 'vitest';
import { catalogueErrorOf } from '#libs/common';
import { ModelFailure, type ModelFailureKind } from './model-failure.js';

const AT = { provider: 'acme', model: 'm-1' };
const KEY = 'sk-proj-4f9aQz_Lm81-TTxyv0Kq7';

describe('a failed call of a model', () => {
  it.each<[ModelFailureKind, boolean]>([
    ['rate_limited', true],
    ['unavailable', true],
    ['timeout', true],
    ['network', true],
    ['malformed', true],
    ['rejected', false],
    ['content_filter', false],
  ])('that is %s may succeed later: %s', (kind, isTransient) => {
    expect(new ModelFailure({ ...AT, kind }).isTransient).toBe(isTransient);
  });

  it('is 503 with the time that the provider asked for', () => {
    const failure = new ModelFailure({ ...AT, kind: 'rate_limited', status: 429, retryAfterMs: 2_500 });
    expect(catalogueErrorOf(failure)).toMatchObject({ code: 'ai.provider_unavailable', status: 503, retryAfter: 3 });
    expect(catalogueErrorOf(new ModelFailure({ ...AT, kind: 'network' }))).toMatchObject({ retryAfter: 5 });
  });

  it('tells in the words of the provider why a request is refused for good', () => {
    const failure = new ModelFailure({ ...AT, kind: 'rejected', status: 404, words: 'no such model' });
    const error = catalogueErrorOf(failure);
    expect(error).toMatchObject({ code: 'ai.provider_rejected', status: 503, retryAfter: undefined });
    expect(error?.message).toContain('"no such model"');
  });
});

describe('the words of a provider', () => {
  const wordsOf = (words: string, secrets: string[] = [KEY]): string =>
    new ModelFailure({ ...AT, kind: 'rejected', words, secrets }).words;

  it.each([
    ['as it is', KEY],
    ['percent-encoded', encodeURIComponent('pass word/with+signs=&1'), 'pass word/with+signs=&1'],
    ['in base64, as basic authentication has it', Buffer.from(`user:${KEY}`).toString('base64')],
    ['in hex', Buffer.from(KEY).toString('hex')],
    ['in JSON', JSON.stringify('key"with\\quotes-and-more').slice(1, -1), 'key"with\\quotes-and-more'],
    ['with its beginning alone', KEY.slice(0, 20)],
    ['with its end alone', KEY.slice(-12)],
  ])('do not show the key %s', (_name, echoed, secret = KEY) => {
    const words = wordsOf(`Incorrect key provided: ${echoed}. See the page.`, [secret]);
    expect(words).toContain('Incorrect key provided');
    expect(words).toContain('[removed]');
    for (let at = 0; at + 8 <= secret.length; at += 1) expect(words).not.toContain(secret.slice(at, at + 8));
    for (let at = 0; at + 12 <= echoed.length; at += 1) expect(words).not.toContain(echoed.slice(at, at + 12));
  });

  it('lose a short key as it is written, and no common word', () => {
    expect(wordsOf('EMPTY: the input is empty', ['EMPTY'])).toBe('[removed]: the input is empty');
  });

  it('do not show the key of someone else either', () => {
    const words = wordsOf('Bearer abcdef123456 and sk-other-key-1234 at https://host/?api_key=zzzz9999', []);
    expect(words).not.toMatch(/abcdef123456|sk-other|zzzz9999/);
  });

  it('are one line of at most 500 characters', () => {
    const words = wordsOf(`one\n\ttwo\u0000\u202ethree ${'x'.repeat(600)}`);
    expect(words).toMatch(/^one two three x+$/);
    expect(words).toHaveLength(500);
  });

  it('stay as they are when they hold no key', () => {
    expect(wordsOf('The model "m-1" does not exist.')).toBe('The model "m-1" does not exist.');
  });
});
