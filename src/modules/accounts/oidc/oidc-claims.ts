import type { JWTPayload } from 'jose';
import { isUuid, type TenantId } from '#libs/common';
import { brokenText } from '#libs/http';
import type { Role } from '#libs/tenancy';

const MOST_SUBJECT = 255;
const MOST_TEXT = 254;
/** Roles that a claim can give; an owner is made by an owner. */
const GIVEN_ROLES = ['viewer', 'editor', 'auditor', 'admin'] as const;

/** Which claims say what. */
export interface ClaimMapping {
  /** Names the tenant that a subject joins at his first login. */
  readonly tenantClaim: string | undefined;
  /** Names his role there. */
  readonly roleClaim: string | undefined;
}

/** What a verified token says of its subject. */
export interface OidcSubject {
  readonly subject: string;
  /** An address only where the issuer says that it has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** null where no claim is mapped, or the token's holds no id. */
  readonly tenantId: TenantId | null;
  readonly role: Role;
}

/** The claims of a token whose signature was checked; null for one without a usable subject. */
export function readClaims(claims: JWTPayload, mapping: ClaimMapping): OidcSubject | null {
  const subject = textOf(claims.sub, MOST_SUBJECT);
  if (subject === null) return null;
  const tenant = mapping.tenantClaim === undefined ? undefined : claims[mapping.tenantClaim];
  const role = mapping.roleClaim === undefined ? undefined : claims[mapping.roleClaim];
  const email = claims['email_verified'] === true ? textOf(claims['email'], MOST_TEXT) : null;
  return {
    subject,
    email: email !== null && /^[^@\s]+@[^@\s]+$/.test(email) ? email : null,
    name: textOf(claims['name'], MOST_TEXT),
    tenantId: isUuid(tenant) ? (tenant.toLowerCase() as TenantId) : null,
    role: GIVEN_ROLES.find((given) => given === role) ?? 'viewer',
  };
}

function textOf(value: unknown, length: number): string | null {
  if (typeof value !== 'string' || value.trim() === '' || value.length > length) return null;
  return brokenText(value) === undefined ? value : null;
}
