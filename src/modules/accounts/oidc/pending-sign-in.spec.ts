import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { beginSignIn, challengeOf, formatPending, localPath, parsePending } from './pending-sign-in.js';

describe('a sign-in under way', () => {
  it('is the same after a browser has kept it, and never twice the same', () => {
    const pending = beginSignIn('/d/1/ask?q=notice');
    expect(parsePending(formatPending(pending))).toEqual(pending);
    const texts = [pending, beginSignIn('/')].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
    expect(new Set(texts).size).toBe(6);
    for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
  });

  it('tells the issuer the hash of its verifier', () => {
    const pending = beginSignIn('/');
    expect(challengeOf(pending)).toBe(createHash('sha256').update(pending.verifier).digest('base64url'));
  });

  it.each([undefined, '', 'a.b.c.d', `${'a'.repeat(43)}.${'b'.repeat(43)}.${'c'.repeat(43)}`])(
    'is none in %j',
    (text) => {
      expect(parsePending(text)).toBeUndefined();
    },
  );

  it('leads nowhere else, whatever the cookie says', () => {
    const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
    const forged = [...parts, Buffer.from('//evil.example').toString('base64url')].join('.');
    expect(parsePending(forged)?.returnTo).toBe('/');
  });
});

describe('the page to come back to', () => {
  it.each(['/', '/ask', '/d/1/documents?state=failed&q=a%20b', '/a//b', '/@evil.example'])('may be %s', (path) => {
    expect(localPath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'ask',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/a b',
    '/a\r\nSet-Cookie: x=y',
    '/\t/evil.example',
    `/${'a'.repeat(512)}`,
  ])('is the start instead of %j', (path) => {
    expect(localPath(path)).toBe('/');
  });
});
