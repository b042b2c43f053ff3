import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, readBody, validationFailed } from '#libs/http';
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

/** Reads OAuth2's password form at `loginPath` as the JSON body of a login, within `seconds`. Forms anywhere else are 415. */
export function readPasswordForms(fastify: FastifyInstance, loginPath: string, seconds: number): void {
  fastify.addContentTypeParser(FORM, async (request: FastifyRequest) => {
    if (request.routeOptions.url !== loginPath) {
      throw httpErrors.media_type_not_supported({ expected: 'application/json' });
    }
    const declared = request.headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    const form = new URLSearchParams(
      (await readBody(request.raw, length, { bytes: MAX_FORM_BYTES, seconds })).toString(),
    );
    if (form.get('grant_type') !== 'password') {
      throw validationFailed([
        { pointer: 'grant_type', code: 'enum', detail: 'grant_type must be "password" in a form.' },
      ]);
    }
    const named = { email: form.get('username'), password: form.get('password') };
    return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
  });
}
