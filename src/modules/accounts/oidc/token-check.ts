import { errors, jwtVerify, type JWTVerifyGetKey, type JWTVerifyResult } from 'jose';
import { reasonOf, SystemClock, type Clock } from '#libs/common';
import { refusalOf, type RefusedToken } from '../sessions/token-refusal.js';
import { issuerUnavailable } from './oidc-discovery.js';

/** Tolerated difference between the issuer's clock and the clock of the service. */
export const SKEW_SECONDS = 60;

/** Requirements of every token of an issuer. */
export interface TokenRules {
  readonly issuer: string;
  /** Audience that `aud` must contain. */
  readonly audience: string;
  /** Accepted algorithms, whatever a token names. */
  readonly algorithms: readonly string[];
  readonly requiredClaims: readonly string[];
}

/**
 * Checks signature, issuer, audience and times of an issuer's token. @throws `accounts.issuer_unavailable` when its keys are unavailable
 */
export async function checkToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, algorithms, requiredClaims }: TokenRules,
  clock: Clock = new SystemClock(),
): Promise<JWTVerifyResult | RefusedToken> {
  try {
    return await jwtVerify(token, keys, {
      algorithms: [...algorithms],
      issuer,
      audience,
      requiredClaims: [...requiredClaims],
      clockTolerance: SKEW_SECONDS,
      currentDate: clock.now(),
    });
  } catch (error) {
    if (isOutage(error)) throw issuerUnavailable(reasonOf(error), error);
    if (error instanceof errors.JOSEError) return refusalOf(error);
    throw error;
  }
}

/**
 * Whether the keys could not be fetched, so that the token could not be checked. `fetch` throws a TypeError; an answer that is no key set
 * is invalid.
 */
function isOutage(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  if (error instanceof errors.JOSEError) return error.code === 'ERR_JOSE_GENERIC';
  return error instanceof TypeError && error.message === 'fetch failed';
}
