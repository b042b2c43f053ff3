import type { FastifyInstance } from 'fastify';
import { httpErrors, validationFailed } from '#libs/http';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from './request-fields.js';

const MAX_FORM_BYTES = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** The schema of OAuth2's password form (RFC 6749, 4.3.2), for the description. */
export const PASSWORD_FORM = {
  type: 'object',
  required: ['grant_type', 'username', 'password'],
  description: "OAuth2's password form. `scope`, `client_id` and `client_secret` are taken and have no effect.",
  properties: {
    grant_type: { type: 'string', enum: ['password'] },
    username: { type: 'string', maxLength: MAX_EMAIL_LENGTH, description: 'E-mail address of the account.' },
    password: { type: 'string', format: 'password', maxLength: MAX_PASSWORD_LENGTH, description: 'Its password.' },
    scope: { type: 'string' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
  },
};

/** Reads OAuth2's password form at `loginPath` as the JSON body of a login. Forms anywhere else are 415. */
export function readPasswordForms(fastify: FastifyInstance, loginPath: string): void {
  fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (request, body, done) => {
    if (request.routeOptions.url !== loginPath) {
      done(httpErrors.media_type_not_supported({ expected: 'application/json' }));
      return;
    }
    const form = new URLSearchParams(String(body));
    if (form.get('grant_type') !== 'password') {
      done(
        validationFailed([{ pointer: 'grant_type', code: 'enum', detail: 'grant_type must be "password" in a form.' }]),
      );
      return;
    }
    const named = { email: form.get('username'), password: form.get('password') };
    done(null, Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null)));
  });
}
