import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId, type ApiKeyId } from '#libs/common';
import { makeApiKeySecret, matchesApiKeyHash, parseApiKey } from './api-key-secret.js';

describe('API key secrets', () => {
  it('contain the id of the key and 256 random bits', () => {
    const id = newId<ApiKeyId>();
    const { key, hash } = makeApiKeySecret(id);
    const parsed = parseApiKey(key);
    expect(key).toMatch(/^kb_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
    expect(parsed?.id).toBe(id);
    expect(matchesApiKeyHash(parsed!.secret, hash)).toBe(true);
    expect(makeApiKeySecret(id).key).not.toBe(key);
  });

  it('can be parsed whatever characters the secret has, including underscores and dashes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const id = newId<ApiKeyId>();
        const secret = Buffer.from(bytes).toString('base64url');
        expect(parseApiKey(`kb_${id.replaceAll('-', '')}_${secret}`)).toEqual({ id, secret });
      }),
    );
  });

  it('do not match when one character differs', () => {
    const { key, hash } = makeApiKeySecret(newId<ApiKeyId>());
    const { secret } = parseApiKey(key)!;
    for (let at = 0; at < secret.length; at += 1) {
      const other = secret[at] === 'x' ? 'y' : 'x';
      expect(matchesApiKeyHash(secret.slice(0, at) + other + secret.slice(at + 1), hash)).toBe(false);
    }
    expect(matchesApiKeyHash(secret, 'abcd')).toBe(false);
  });

  it('are refused when anything about them is malformed', () => {
    const { key } = makeApiKeySecret(newId<ApiKeyId>());
    const bad = [
      '',
      'kb_',
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('kb_', 'kc_'),
      key.slice(3),
    ];
    for (const text of bad) expect(parseApiKey(text)).toBeNull();
  });

  it('never make the parser throw', () => {
    fc.assert(fc.property(fc.string(), (text) => parseApiKey(`kb_${text}`) === null));
  });
});
