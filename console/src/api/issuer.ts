import { ROOT } from './root';

/** Where an invitation waits while its tab is at the issuer: a secret goes to nobody else in an address. */
const KEPT = 'kb.invitation';
const FAULTS = ['denied', 'expired', 'failed', 'unavailable'] as const;

/** Why somebody came back from the issuer without a session. */
export type SignInFault = (typeof FAULTS)[number];

/** The address that leads to the issuer and back to a page of the console. */
export function issuerAddress(returnTo: string): string {
  const address = new URL('api/v1/auth/oidc/start', ROOT);
  address.searchParams.set('return_to', returnTo);
  return address.href;
}

/** What the address of this page says of a sign-in that came to nothing. */
export function signInFault(): SignInFault | undefined {
  const said = new URLSearchParams(location.search).get('sign_in');
  return FAULTS.find((fault) => fault === said);
}

/** Keeps the secret of an invitation for when this tab comes back. */
export function keepInvitation(secret: string): void {
  sessionStorage.setItem(KEPT, secret);
}

/** The secret that was kept, once. */
export function takeInvitation(): string | undefined {
  const secret = sessionStorage.getItem(KEPT) ?? undefined;
  sessionStorage.removeItem(KEPT);
  return secret;
}
