import type { JWTPayload } from 'jose';
import { isUuid, type TenantId } from '#libs/common';
import { brokenText } from '#libs/http';
import type { Role } from '#libs/tenancy';

const MOST_SUBJECT = 255;
const MOST_TEXT = 254;
/**
 * Capital letters beside A to Z. Addresses are compared in lower case, which makes another mailbox's address of some of them: PostgreSQL
 * lowers the Kelvin sign (U+212A) to k, and İ (U+0130) to i. An address with one proves nothing.
 */
const FOREIGN_CAPITALS = /(?![A-Z])\p{Changes_When_Lowercased}/u;
/** Roles that a claim can give, the strongest first: an editor changes what an auditor only sees. An owner is made by an owner. */
const GIVEN_ROLES = ['admin', 'editor', 'auditor', 'viewer'] as const satisfies readonly Role[];

/** Which claims say what; each a name, or a path with dots into nested claims. */
export interface ClaimMapping {
  /** Names the tenant that a subject joins at his first login. */
  readonly tenantClaim: string | undefined;
  /** Names his role there. */
  readonly roleClaim: string | undefined;
}

/** A value of a mapped claim that says nothing to the service; undefined: the token does not have the claim. */
export interface UnknownClaimValue {
  readonly claim: string;
  readonly value: unknown;
}

/** What a verified token says of its subject. */
export interface OidcSubject {
  readonly subject: string;
  /** An address only where the issuer says that it has verified it; null also for one that lower case makes another of. */
  readonly email: string | null;
  readonly name: string | null;
  /** When the token was issued, in seconds since 1970; null where it does not say. */
  readonly issuedAt: number | null;
  /** null where no claim is mapped, or the token's does not hold exactly one id. */
  readonly tenantId: TenantId | null;
  readonly role: Role;
  /** What the mapped claims hold beside that. */
  readonly unknown: readonly UnknownClaimValue[];
}

interface Read<T> {
  readonly value: T;
  readonly unknown: readonly UnknownClaimValue[];
}

/** The claims of a token whose signature was checked; null for one without a usable subject. */
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

/** The strongest role among the values; a viewer where none is known. */
function readRole(claims: JWTPayload, claim: string | undefined): Read<Role> {
  if (claim === undefined) return { value: 'viewer', unknown: [] };
  const values = valuesAt(claims, claim);
  const unknown = values.filter((value) => !GIVEN_ROLES.some((role) => role === value));
  return {
    value: GIVEN_ROLES.find((role) => values.includes(role)) ?? 'viewer',
    unknown: unknown.map((value) => ({ claim, value })),
  };
}

/** The only tenant among the values; none where several are named, which are all reported then. */
function readTenant(claims: JWTPayload, claim: string | undefined): Read<TenantId | null> {
  if (claim === undefined) return { value: null, unknown: [] };
  const values = valuesAt(claims, claim);
  const ids = new Set(values.filter((value) => isUuid(value)).map((id) => id.toLowerCase() as TenantId));
  const [only = null] = ids.size === 1 ? ids : [];
  const unknown = values.filter((value) => only === null || !isUuid(value));
  return { value: only, unknown: unknown.map((value) => ({ claim, value })) };
}

/** The values of a claim: those of a list, the one that is there, or `undefined` alone where there is none. */
function valuesAt(claims: JWTPayload, claim: string): readonly unknown[] {
  const found = valueAt(claims, claim);
  return Array.isArray(found) ? found : [found];
}

function textOf(value: unknown, length: number): string | null {
  if (typeof value !== 'string' || value.trim() === '' || value.length > length) return null;
  return brokenText(value) === undefined ? value : null;
}

/**
 * The value of a claim that is named by its path: `realm_access.roles` is `roles` in the object `realm_access`. Names may hold dots
 * themselves (`https://example.com/roles`, the client `kb.example` in `resource_access.kb.example.roles`): of several ways to read a
 * path the one with the longest first name that leads somewhere counts. Undefined where none does.
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
