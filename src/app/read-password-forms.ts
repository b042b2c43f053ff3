import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, readBody, requireSoundEscapes, validationFailed } from '#libs/http';

const MAX_FORM_BYTES = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** Reads OAuth2's password form at `loginPath` as the JSON body of a login, within `seconds`. Forms anywhere else are 415. */
export function readPasswordForms(fastify: FastifyInstance, loginPath: string, seconds: number): void {
  fastify.addContentTypeParser(FORM, async (request: FastifyRequest) => {
    if (request.routeOptions.url !== loginPath) {
      throw httpErrors.media_type_not_supported({ expected: 'application/json' });
    }
    const declared = request.headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    const encoded = (await readBody(request.raw, length, { bytes: MAX_FORM_BYTES, seconds })).toString();
    requireSoundEscapes(encoded);
    const form = new URLSearchParams(encoded);
    if (form.get('grant_type') !== 'password') {
      throw validationFailed([
        { pointer: '/grant_type', code: 'enum', detail: 'grant_type must be "password" in a form' },
      ]);
    }
    const named = {
      email: form.get('username'),
      password: form.get('password'),
      tenant_id: form.get('tenant_id'),
    };
    return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
  });
}
