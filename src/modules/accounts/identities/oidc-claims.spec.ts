import { readFileSync } from 'node:fs';
import type { JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { findOtherKind } from '../oidc/access-token-signs.js';
import { ClaimWarnings } from '../oidc/claim-warnings.js';
import { readClaims, valueAt, type OidcSubject } from './oidc-claims.js';

interface IssuerCase {
  readonly case: string;
  readonly set?: { readonly AUTH_OIDC_ROLE_CLAIM?: string };
  readonly claims: Record<string, unknown>;
  readonly role?: string;
  readonly status?: number;
}

/** Claims as Keycloak, Entra and Okta send them. */
const CASES = JSON.parse(
  readFileSync(new URL('../oidc/testing/issuer-claims.json', import.meta.url), 'utf8'),
) as readonly IssuerCase[];

const read = (claims: object, roleClaim?: string, tenantClaim?: string): OidcSubject =>
  readClaims({ sub: 'ada', ...claims }, { roleClaim, tenantClaim })!;
const HOME = newId();

describe('claims as issuers send them', () => {
  it.each(CASES.filter(({ role }) => role !== undefined))('give their role: $case', ({ set, claims, role }) => {
    expect(read(claims, set?.AUTH_OIDC_ROLE_CLAIM).role).toBe(role);
  });

  it.each(CASES.filter(({ status }) => status === 401))('are not of an access token: $case', ({ claims }) => {
    expect(findOtherKind({ alg: 'RS256', typ: 'JWT' }, claims)).not.toBeNull();
  });
});

describe('the path of a claim', () => {
  const claims = {
    plain: 1,
    'https://example.com/roles': 2,
    resource_access: { 'kb.example': { roles: 3 }, kb: { example: { other: 4 } } },
    'a.b': { c: 5 },
    a: { b: { c: 6, d: 7 } },
    list: [{ roles: 8 }],
    text: 'text',
    nothing: null,
  };

  it.each([
    ['plain', 1],
    ['https://example.com/roles', 2],
    ['resource_access.kb.example.roles', 3],
    ['resource_access.kb.example.other', 4],
    ['a.b.c', 5],
    ['a.b.d', 7],
    ['nothing', null],
  ])('leads to its value: %s', (path, value) => {
    expect(valueAt(claims, path)).toBe(value);
  });

  it.each(['', '.', 'plain.', '.plain', 'a..b', 'list.roles', 'list.length', 'text.length', 'nothing.x', 'no'])(
    'leads nowhere: "%s"',
    (path) => {
      expect(valueAt(claims, path)).toBeUndefined();
    },
  );

  it('does not lead to inherited properties', () => {
    for (const path of ['__proto__', 'constructor.name', 'a.__proto__', 'toString']) {
      expect(valueAt(claims, path)).toBeUndefined();
    }
  });
});

describe('the role', () => {
  it.each([
    [['viewer', 'auditor'], 'auditor'],
    [['auditor', 'editor'], 'editor'],
    [['editor', 'admin', 'viewer'], 'admin'],
    [['owner'], 'viewer'],
    [['Editor', 7, null, ['admin'], { role: 'admin' }], 'viewer'],
    ['admin', 'admin'],
    ['admin editor', 'viewer'],
    [[], 'viewer'],
    [undefined, 'viewer'],
    [{ admin: true }, 'viewer'],
  ])('of %j is %s', (value, role) => {
    expect(read({ roles: value }, 'roles').role).toBe(role);
  });

  it('is viewer if no claim is mapped', () => {
    expect(read({ roles: ['admin'] })).toMatchObject({ role: 'viewer', unknown: [] });
  });
});

describe('the tenant', () => {
  it.each([
    [HOME, HOME],
    [HOME.toUpperCase(), HOME],
    [[HOME], HOME],
    [['kb', HOME, 'staff'], HOME],
    [[HOME, HOME.toUpperCase()], HOME],
    [[HOME, newId()], null],
    [[], null],
    [['kb'], null],
    [undefined, null],
    [7, null],
    [[[HOME]], null],
  ])('of %j is %s', (value, tenant) => {
    expect(read({ kb: { tenant: value } }, undefined, 'kb.tenant').tenantId).toBe(tenant);
  });
});

describe('the address', () => {
  const address = (email: unknown, isVerified: unknown = true): string | null =>
    read({ email, email_verified: isVerified }).email;

  it('is one that the issuer has verified', () => {
    expect(address('Ada.Lovelace@Example.com')).toBe('Ada.Lovelace@Example.com');
    expect(address('jörg@straße.example')).toBe('jörg@straße.example');
    for (const said of ['true', 1, null, [true]]) expect(address('ada@example.com', said)).toBeNull();
  });

  // In lower case these become the address of another mailbox: the Kelvin sign becomes k, and in PostgreSQL İ becomes i.
  it.each([
    '\u212Aristin@example.com',
    'kr\u0130stin@example.com',
    'kristin@\u212Aelvin.example',
    'J\u00D6rg@example.com',
  ])('has no capital letters except those of ASCII: %s', (email) => {
    expect(address(email)).toBeNull();
  });
});

describe('other values of a mapped claim', () => {
  it('are logged once, with the name of the claim', () => {
    const lines: unknown[] = [];
    const warnings = new ClaimWarnings({ warn: (facts, event) => lines.push([event, facts]) });
    const note = (claims: object): void => warnings.note(read(claims, 'kb.roles', 'kb_tenant').unknown);
    note({ kb: { roles: ['offline_access', 'editor'] }, kb_tenant: [HOME] });
    note({ kb: { roles: ['offline_access', 'edtor'] }, kb_tenant: [HOME] });
    note({ kb: { roles: ['viewer'] } });
    note({ kb: { roles: ['viewer'] } });
    note({ kb: { roles: 'x'.repeat(500) }, kb_tenant: HOME });
    expect(lines).toEqual([
      ['auth.oidc_claim_unknown', { claim: 'kb.roles', value: 'offline_access' }],
      ['auth.oidc_claim_unknown', { claim: 'kb.roles', value: 'edtor' }],
      ['auth.oidc_claim_absent', { claim: 'kb_tenant' }],
      ['auth.oidc_claim_unknown', { claim: 'kb.roles', value: 'x'.repeat(100) }],
    ]);
  });

  it('are remembered up to a limit', () => {
    let lines = 0;
    const warnings = new ClaimWarnings({ warn: () => (lines += 1) });
    for (let n = 0; n < 1_000; n += 1) warnings.note([{ claim: 'roles', value: `role ${n}` }]);
    expect(lines).toBe(200);
  });
});

describe('a token of another kind than an access token', () => {
  const kind = (claims: JWTPayload, typ?: string): string | null =>
    findOtherKind({ alg: 'RS256', ...(typ === undefined ? {} : { typ }) }, claims);

  it.each<[JWTPayload, string | undefined, string]>([
    [{ typ: 'ID' }, 'JWT', 'id_token'],
    [{ typ: 'Refresh' }, 'JWT', 'refresh_token'],
    [{ typ: 'Offline' }, undefined, 'refresh_token'],
    [{ typ: 'Logout' }, 'JWT', 'no_access_token'],
    [{ token_use: 'id' }, undefined, 'id_token'],
    [{ token_use: 'refresh' }, undefined, 'refresh_token'],
    [{ token_type: 'refresh' }, 'JWT', 'refresh_token'],
    [{ nonce: 'n-1' }, 'JWT', 'id_token'],
    [{ at_hash: 'x' }, undefined, 'id_token'],
    [{ c_hash: 'x' }, 'JWT', 'id_token'],
    [{ typ: 'ID' }, 'at+jwt', 'id_token'],
    [{}, 'logout+jwt', 'no_access_token'],
    [{}, 'application/secevent+jwt', 'no_access_token'],
  ])('is recognised by its claims: %j, header %s', (claims, typ, expected) => {
    expect(kind(claims, typ)).toBe(expected);
  });

  it.each<[JWTPayload, string | undefined]>([
    [{}, undefined],
    [{}, 'JWT'],
    [{ typ: 'Bearer', nonce: 'n-1' }, 'JWT'],
    [{ token_use: 'access' }, undefined],
    [{ token_type: 'Bearer', at_hash: 'x' }, 'JWT'],
    [{ nonce: 'n-1' }, 'at+jwt'],
    [{ nonce: 'n-1' }, 'application/at+JWT'],
  ])('is not recognised by these: %j, header %s', (claims, typ) => {
    expect(kind(claims, typ)).toBeNull();
  });
});
