import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { beginSignIn, challengeOf, formatPending, localPath, parsePending } from './pending-sign-in.js';

describe('a pending sign-in', () => {
  it('is unchanged after storage in the browser, and unique', () => {
    const pending = beginSignIn('/d/1/ask?q=notice');
    expect(parsePending(formatPending(pending))).toEqual(pending);
    const texts = [pending, beginSignIn('/')].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
    expect(new Set(texts).size).toBe(6);
    for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
  });

  it('sends the hash of its verifier to the issuer', () => {
    const pending = beginSignIn('/');
    expect(challengeOf(pending)).toBe(createHash('sha256').update(pending.verifier).digest('base64url'));
  });

  it.each([undefined, '', 'a.b.c.d', `${'a'.repeat(43)}.${'b'.repeat(43)}.${'c'.repeat(43)}`])(
    'is not read from %j',
    (text) => {
      expect(parsePending(text)).toBeUndefined();
    },
  );

  it('leads only to pages of the service, whatever the cookie contains', () => {
    const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
    const forged = [...parts, Buffer.from('//evil.example').toString('base64url')].join('.');
    expect(parsePending(forged)?.returnTo).toBe('/');
  });
});

describe('the page to return to', () => {
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
  ])('is the start page instead of %j', (path) => {
    expect(localPath(path)).toBe('/');
  });
});
