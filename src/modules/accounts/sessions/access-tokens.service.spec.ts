import { createPublicKey, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { newId, type AccountId, type Clock } from '#libs/common';
import { AccessTokenVerifiers } from './access-token-verifiers.service.js';
import { AccessTokens } from './access-tokens.service.js';
import type { SigningKey, TokenKeys } from '../credentials/signing-key.js';

class MovedClock implements Clock {
  constructor(private time = Date.now()) {}
  now(): Date {
    return new Date(this.time);
  }
  advance(seconds: number): void {
    this.time += seconds * 1000;
  }
}

function edwards(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { kid: newId(), algorithm: 'EdDSA', signWith: privateKey, verifyWith: publicKey };
}

function shared(text = 'a secret of thirty-two characters'): SigningKey {
  const secret = createSecretKey(Buffer.from(text));
  return { kid: newId(), algorithm: 'HS256', signWith: secret, verifyWith: secret };
}

/** Keys without former keys. */
function only(signing: SigningKey): TokenKeys {
  return { signing, former: [] };
}

const ISSUER = 'knowledge-base';
const AUDIENCE = 'knowledge-base-api';
const account = newId<AccountId>();
const subject = { accountId: account, tokenVersion: 7 };
/** Claims of a token without a version. */
const unversioned = { accountId: account, tokenVersion: 0 };

/** A valid token, except for what the test changes. */
function forge(change: (token: SignJWT) => SignJWT = (token) => token): SignJWT {
  const token = new SignJWT()
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(account)
    .setIssuedAt()
    .setExpirationTime('5m');
  return change(token);
}

describe.each([
  ['EdDSA', edwards],
  ['HS256', shared],
] as const)('access tokens with %s', (algorithm, makeKey) => {
  const key = makeKey();
  const tokens = new AccessTokens(only(key), 3600);
  const sign = (token: SignJWT): Promise<string> => token.setProtectedHeader({ alg: algorithm }).sign(key.signWith);

  it('identify the account and contain nothing about its permissions', async () => {
    const { token, expiresInSeconds } = await tokens.issue(subject);
    expect(expiresInSeconds).toBe(3600);
    expect(decodeProtectedHeader(token)).toEqual({ alg: algorithm, typ: 'JWT', kid: key.kid });
    const claims = decodeJwt(token);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub', 'ver']);
    expect(claims).toMatchObject({ iss: ISSUER, aud: AUDIENCE, sub: account, ver: 7, exp: claims.iat! + 3600 });
    expect(await tokens.findSubject(token)).toMatchObject(subject);
  });

  it('accepts a token signed elsewhere with the same key and claims', async () => {
    expect(await tokens.findSubject(await sign(forge()))).toMatchObject(unversioned);
  });

  it.each<[string, (token: SignJWT) => SignJWT]>([
    ['another issuer', (token) => token.setIssuer('https://elsewhere.example')],
    ['another audience', (token) => token.setAudience('another-api')],
    ['an expiry in the past', (token) => token.setExpirationTime('-1s')],
    ['a beginning in the future', (token) => token.setNotBefore('10m')],
    ['a subject that is no account', (token) => token.setSubject('admin@example.com')],
  ])('refuses %s', async (_name, change) => {
    expect(await tokens.findSubject(await sign(forge(change)))).toHaveProperty('refused');
  });

  it.each(['sub', 'exp', 'iat'])('refuses a token without %s', async (claim) => {
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: account, iat: 1, exp: 9_999_999_999, [claim]: undefined };
    expect(await tokens.findSubject(await sign(new SignJWT(claims)))).toHaveProperty('refused');
  });

  it('refuses an expired token', async () => {
    const clock = new MovedClock();
    const short = new AccessTokens(only(key), 60, clock);
    const { token } = await short.issue(subject);
    clock.advance(59);
    expect(await short.findSubject(token)).toMatchObject(subject);
    clock.advance(1);
    expect(await short.findSubject(token)).toHaveProperty('refused');
  });

  it('refuses an unsigned token (alg none), in any spelling of the algorithm', async () => {
    const unsigned = new UnsecuredJWT({}).setIssuer(ISSUER).setAudience(AUDIENCE).setSubject(account);
    const token = unsigned.setIssuedAt().setExpirationTime('5m').encode();
    expect(await tokens.findSubject(token)).toHaveProperty('refused');
    const [, payload] = token.split('.');
    for (const alg of ['NONE', 'None', '']) {
      const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
      expect(await tokens.findSubject(`${header}.${payload}.`)).toHaveProperty('refused');
    }
  });

  it('refuses a token of another key', async () => {
    const other = new AccessTokens(
      only(algorithm === 'EdDSA' ? edwards() : shared('another secret of thirty-two chars')),
      3600,
    );
    const { token } = await other.issue(subject);
    expect(await tokens.findSubject(token)).toHaveProperty('refused');
  });

  it('refuses a token that was changed in any part', async () => {
    const { token } = await tokens.issue(subject);
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = { ...decodeJwt(token), sub: newId() };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    for (const bad of [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}.`,
    ]) {
      expect(await tokens.findSubject(bad)).toHaveProperty('refused');
    }
  });

  it.each(['', 'x', 'a.b', 'a.b.c', '..', 'a.b.c.d.e', 'kb_1', '\u0000', 'e30.e30.e30'])('refuses %j', async (text) => {
    expect(await tokens.findSubject(text)).toHaveProperty('refused');
  });
});

describe('access tokens and other algorithms', () => {
  it('refuses a token signed by HMAC with the public Ed25519 key as its secret', async () => {
    const key = edwards();
    const tokens = new AccessTokens(only(key), 3600);
    const pem = createPublicKey(key.signWith).export({ type: 'spki', format: 'pem' });
    const raw = key.verifyWith.export({ type: 'spki', format: 'der' });
    for (const secret of [Buffer.from(pem), raw, raw.subarray(-32)]) {
      const token = await forge().setProtectedHeader({ alg: 'HS256' }).sign(secret);
      expect(await tokens.findSubject(token)).toHaveProperty('refused');
    }
  });

  it('refuses a longer HMAC than the pinned one, made with the right secret', async () => {
    const key = shared('a secret that is long enough for HS512 as well, sixty-four characters');
    const token = await forge().setProtectedHeader({ alg: 'HS512' }).sign(key.signWith);
    expect(await new AccessTokens(only(key), 3600).findSubject(token)).toHaveProperty('refused');
  });

  it('ignores a key that the token contains', async () => {
    const thief = edwards();
    const jwk = thief.verifyWith.export({ format: 'jwk' });
    const token = await forge().setProtectedHeader({ alg: 'EdDSA', jwk }).sign(thief.signWith);
    expect(await new AccessTokens(only(edwards()), 3600).findSubject(token)).toHaveProperty('refused');
  });
});

describe('access tokens and keys that change', () => {
  const [present, former, stranger] = [edwards(), shared(), edwards()];
  const rotated = new AccessTokens({ signing: present, former: [former, edwards()] }, 3600);

  it('are signed with the present key and verified with the key that they name', async () => {
    const { token } = await rotated.issue(subject);
    expect(decodeProtectedHeader(token).kid).toBe(present.kid);
    expect(await rotated.findSubject(token)).toMatchObject(subject);
    const before = await new AccessTokens(only(former), 3600).issue(subject);
    expect(await rotated.findSubject(before.token)).toMatchObject(subject);
    const forgotten = await new AccessTokens(only(stranger), 3600).issue(subject);
    expect(await rotated.findSubject(forgotten.token)).toHaveProperty('refused');
  });

  it('are verified with every key when they name none, like tokens of earlier versions', async () => {
    const sign = (key: SigningKey): Promise<string> =>
      forge().setProtectedHeader({ alg: key.algorithm }).sign(key.signWith);
    expect(await rotated.findSubject(await sign(former))).toMatchObject(unversioned);
    expect(await rotated.findSubject(await sign(stranger))).toHaveProperty('refused');
  });

  it('are refused when they name another key than the one that signed them', async () => {
    const token = await forge().setProtectedHeader({ alg: 'EdDSA', kid: former.kid }).sign(present.signWith);
    expect(await rotated.findSubject(token)).toHaveProperty('refused');
    const unknown = await forge().setProtectedHeader({ alg: 'EdDSA', kid: 'x' }).sign(present.signWith);
    expect(await rotated.findSubject(unknown)).toHaveProperty('refused');
  });

  it('are refused with a version that is no number', async () => {
    const token = await new SignJWT({ ver: '7' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(account)
      .setIssuedAt()
      .setExpirationTime('5m')
      .setProtectedHeader({ alg: 'EdDSA', kid: present.kid })
      .sign(present.signWith);
    expect(await rotated.findSubject(token)).toHaveProperty('refused');
  });
});

describe('AccessTokenVerifiers', () => {
  const own = new AccessTokens(only(edwards()), 3600);
  const guest = { accountId: newId<AccountId>(), tokenVersion: 0 };
  const seen: string[] = [];
  const verifiers = new AccessTokenVerifiers([
    own,
    { issuer: 'https://sso.example', findSubject: async (token) => (seen.push(token), guest) },
  ]);

  it('lets the verifier of the named issuer decide', async () => {
    const { token } = await own.issue(subject);
    expect(await verifiers.findSubject(token)).toMatchObject(subject);
    expect(seen).toEqual([]);
    const foreign = await forge((t) => t.setIssuer('https://sso.example'))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.alloc(32));
    expect(await verifiers.findSubject(foreign)).toBe(guest);
  });

  it('refuses an unknown issuer, none, and text that is no token', async () => {
    const unknown = await forge((t) => t.setIssuer('https://sso.example/'))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.alloc(32));
    const none = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));
    for (const token of [unknown, none, 'nonsense', ''])
      expect(await verifiers.findSubject(token)).toHaveProperty('refused');
  });

  it('refuses two verifiers for one issuer', () => {
    expect(() => new AccessTokenVerifiers([own, own])).toThrow(/one issuer/);
  });
});
