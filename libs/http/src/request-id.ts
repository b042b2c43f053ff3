import type { IncomingMessage } from 'node:http';
import { newId } from '#libs/common';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's `X-Request-ID` if it is well-formed, otherwise a new one. It is for correlation only and need not be unique. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : newId();
}
