import type { JWTPayload } from 'jose';
import { isUuid, type TenantId } from '#libs/common';
import { brokenText } from '#libs/http';
import type { Role } from '#libs/tenancy';

const MOST_SUBJECT = 255;
const MOST_TEXT = 254;
/**
 * Capital letters other than A to Z. Addresses are compared in lower case, which turns some of these into the address of another mailbox:
 * PostgreSQL lowers the Kelvin sign (U+212A) to k, and İ (U+0130) to i. An address with such a letter proves nothing.
 */
const FOREIGN_CAPITALS = /(?![A-Z])\p{Changes_When_Lowercased}/u;
/**
 * Roles that a claim can give, the strongest first: an editor may change what an auditor may only see. Only an owner can make another
 * owner.
 */
const GIVEN_ROLES = ['admin', 'editor', 'auditor', 'viewer'] as const satisfies readonly Role[];

/** Mapped claims; each is a name, or a path with dots into nested claims. */
export interface ClaimMapping {
  /** Claim with the tenant that a subject joins at the first login. */
  readonly tenantClaim: string | undefined;
  /** Claim with the role in that tenant. */
  readonly roleClaim: string | undefined;
}

/** A value of a mapped claim that the service does not know; undefined: the token does not have the claim. */
export interface UnknownClaimValue {
  readonly claim: string;
  readonly value: unknown;
}

/** Data of a verified token about its subject. */
export interface OidcSubject {
  readonly subject: string;
  /** An address that the issuer has verified; null: none, or an address that changes in lower case as described above. */
  readonly email: string | null;
  readonly name: string | null;
  /** Time at which the token was issued, in seconds since 1970; null: not in the token. */
  readonly issuedAt: number | null;
  /** Null: no claim is mapped, or it does not contain exactly one id. */
  readonly tenantId: TenantId | null;
  readonly role: Role;
  /** Unknown values of the mapped claims. */
  readonly unknown: readonly UnknownClaimValue[];
}

interface Read<T> {
  readonly value: T;
  readonly unknown: readonly UnknownClaimValue[];
}

/** Reads the claims of a token whose signature was checked; null without a usable subject. */
export function readClaims(claims: JWTPayload, mapping: ClaimMapping): OidcSubject | null {
  const subject = textOf(claims.sub, MOST_SUBJECT);
  if (subject === null) return null;
  const tenant = readTenant(claims, mapping.tenantClaim);
  const role = readRole(claims, mapping.roleClaim);
  const email = claims['email_verified'] === true ? textOf(claims['email'], MOST_TEXT) : null;
  const isAddress = email !== null && /^[^@\s]+@[^@\s]+$/.test(email) && !FOREIGN_CAPITALS.test(email);
  return {
    subject,
    email: isAddress ? email : null,
    name: textOf(claims['name'], MOST_TEXT),
    issuedAt: claims.iat ?? null,
    tenantId: tenant.value,
    role: role.value,
    unknown: [...tenant.unknown, ...role.unknown],
  };
}

/** The strongest role among the values; viewer if none is known. */
function readRole(claims: JWTPayload, claim: string | undefined): Read<Role> {
  if (claim === undefined) return { value: 'viewer', unknown: [] };
  const values = valuesAt(claims, claim);
  const unknown = values.filter((value) => !GIVEN_ROLES.some((role) => role === value));
  return {
    value: GIVEN_ROLES.find((role) => values.includes(role)) ?? 'viewer',
    unknown: unknown.map((value) => ({ claim, value })),
  };
}

/** The only tenant among the values; none if several are named, and then all of them are reported. */
function readTenant(claims: JWTPayload, claim: string | undefined): Read<TenantId | null> {
  if (claim === undefined) return { value: null, unknown: [] };
  const values = valuesAt(claims, claim);
  const ids = new Set(values.filter((value) => isUuid(value)).map((id) => id.toLowerCase() as TenantId));
  const [only = null] = ids.size === 1 ? ids : [];
  const unknown = values.filter((value) => only === null || !isUuid(value));
  return { value: only, unknown: unknown.map((value) => ({ claim, value })) };
}

/** The values of a claim: those of a list, a single value, or only `undefined` if the claim is missing. */
function valuesAt(claims: JWTPayload, claim: string): readonly unknown[] {
  const found = valueAt(claims, claim);
  return Array.isArray(found) ? found : [found];
}

function textOf(value: unknown, length: number): string | null {
  if (typeof value !== 'string' || value.trim() === '' || value.length > length) return null;
  return brokenText(value) === undefined ? value : null;
}

/**
 * The value of a claim by its path: `realm_access.roles` is `roles` in the object `realm_access`. Names may contain dots themselves
 * (`https://example.com/roles`, the client `kb.example` in `resource_access.kb.example.roles`): of several readings of a path, the one with
 * the longest first name that leads to a value counts. Undefined if none does.
 */
export function valueAt(claims: object, path: string): unknown {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end);
    const value: unknown = Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined;
    if (end === path.length && value !== undefined) return value;
    if (isObject(value)) {
      const inner = valueAt(value, path.slice(end + 1));
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
