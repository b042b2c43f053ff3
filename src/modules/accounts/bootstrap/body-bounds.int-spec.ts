import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp } from '../testing/accounts-app.js';

const KIB = 1024;

interface Sent {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: { readonly errors?: unknown[]; readonly error_count?: number; readonly detail: string };
}

describe('a JSON body', () => {
  let service: AccountsApp;
  let token: string;

  beforeAll(async () => {
    service = await startAccountsApp({ JSON_BODY_TIMEOUT_SECONDS: '1' });
    await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
    token = (await service.call('POST', '/auth/login', { body: ADMIN })).body.access_token;
  });
  afterAll(() => service.close());

  const send = async (path: string, payload: string | Readable, authorization?: string): Promise<Sent> => {
    const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
    const answer = await service.app.inject({ method: 'POST', url: `/api/v1${path}`, payload, headers });
    const body = answer.json<Sent['body'] & { code?: string }>();
    return { status: answer.statusCode, code: body.code, body };
  };
  const asAdmin = (payload: string | Readable): Promise<Sent> => send('/tenants', payload, `Bearer ${token}`);
  const text = (bytes: number): string => JSON.stringify({ email: 'x'.repeat(bytes) });
  const keys = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1])));

  it('without a credential, or to /auth/, has at most 64 KiB', async () => {
    expect(await send('/auth/login', text(63 * KIB))).toMatchObject({ status: 422 });
    expect(await send('/auth/login', text(64 * KIB))).toMatchObject({ status: 413, code: 'http.body_too_large' });
    expect(await send('/auth/api-keys', text(64 * KIB), `Bearer ${token}`)).toMatchObject({ status: 413 });
  });

  it('of a caller has at most MAX_JSON_BYTES', async () => {
    expect(await asAdmin(text(1000 * KIB))).toMatchObject({ status: 422 });
    expect(await asAdmin(text(1024 * KIB))).toMatchObject({ status: 413, code: 'http.body_too_large' });
    const inPieces = Readable.from([text(600 * KIB), text(600 * KIB)]);
    expect(await asAdmin(inPieces)).toMatchObject({ status: 413, code: 'http.body_too_large' });
  });

  it('has at most MAX_JSON_VALUES values and a depth of 32', async () => {
    expect(await asAdmin(keys(19_999))).toMatchObject({ status: 422, code: 'http.validation_failed' });
    expect(await asAdmin(keys(20_000))).toMatchObject({ status: 413, code: 'http.too_many_values' });
    const nested = (depth: number): string => `{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(await asAdmin(nested(32))).toMatchObject({ status: 422, code: 'http.validation_failed' });
    expect(await asAdmin(nested(33))).toMatchObject({ status: 400, code: 'http.nested_too_deeply' });
  });

  it('is answered with at most 20 problems and the number of all', async () => {
    const { status, body } = await asAdmin(keys(10_000));
    expect(status).toBe(422);
    expect(body.errors).toHaveLength(20);
    expect(body.error_count).toBeGreaterThan(10_000);
    expect(JSON.stringify(body).length).toBeLessThan(8 * KIB);
  });

  it('that does not arrive in time is 408', async () => {
    const stuck = new Readable({ read: () => undefined });
    stuck.push('{"name":');
    expect(await asAdmin(stuck)).toMatchObject({ status: 408, code: 'http.body_too_slow' });
    stuck.destroy();
  });

  it('for an unknown route is not read', async () => {
    expect(await send('/nowhere', '{')).toMatchObject({ status: 404, code: 'http.route_not_found' });
  });
});
