import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { until } from '#testing/until';
import { logLinesOf, type LogLine } from '../support/log-lines.js';
import { useService } from '../support/service-process.js';

const PATIENCE = { timeout: 60_000, interval: 200 };

const service = useService({ settings: { LOG_REQUESTS: 'on', RATE_LIMITS: 'on' } });

/** The lines that `work` makes the service write, as soon as `isThere` holds for one of them. */
async function linesOf(work: () => Promise<unknown>, isThere: (line: LogLine) => boolean): Promise<LogLine[]> {
  const from = service.process.log.length;
  await work();
  return vi.waitFor(() => {
    const lines = logLinesOf(service.process, from);
    expect(lines.some(isThere)).toBe(true);
    return lines;
  }, PATIENCE);
}

describe('the log', () => {
  it('has a line for each request: route, status, time, bytes, request, tenant and principal', async () => {
    const { account, tenant_id: tenantId } = await service.admin.get<{ account: { id: string }; tenant_id: string }>(
      '/auth/me',
    );
    const id = '01900000-0000-7000-8000-000000000000';
    const lines = await linesOf(
      () => service.admin.send('GET', `/datasets/${id}?secret=hidden`, undefined, { 'X-Request-ID': 'logged-1' }),
      ({ requestId }) => requestId === 'logged-1',
    );
    const line = lines.find(({ requestId }) => requestId === 'logged-1')!;
    expect(line).toMatchObject({
      level: 'info',
      msg: 'request.completed',
      method: 'GET',
      status: 422,
      complete: true,
      tenantId,
      principal: `account:${account.id}`,
      address: '127.0.0.1',
    });
    expect(line['route']).toMatch(/\/datasets\/:\w+$/);
    expect(line['bytes']).toBeGreaterThan(100);
    expect(line['ms']).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(lines)).not.toContain('hidden');
  });

  it('tells of failed and blocked logins, with account where there is one, address and request', async () => {
    const { email } = service.process.admin;
    const guess = (address: string, requestId: string): Promise<unknown> =>
      service.anonymous.send(
        'POST',
        '/auth/login',
        { email: address, password: 'not the password' },
        { 'X-Request-ID': requestId },
      );
    const lines = await linesOf(
      async () => {
        await guess('nobody@example.com', 'guess-0');
        // The login before was the first with this password, which counts as an attempt.
        for (let n = 1; n <= 5; n += 1) await guess(email, `guess-${n}`);
      },
      ({ msg }) => msg === 'auth.login_blocked',
    );
    // Lines of entries of the audit log bear an actor; failures are gathered there and written once a minute.
    const told = lines.filter((line) => line.msg?.startsWith('auth.') === true && !('actor' in line));
    expect(told.map(({ msg, level, requestId, address }) => [msg, level, requestId, address])).toEqual([
      ...Array.from({ length: 5 }, (_, n) => ['auth.login_failed', 'warn', `guess-${n}`, '127.0.0.1']),
      ['auth.login_blocked', 'warn', 'guess-5', '127.0.0.1'],
    ]);
    expect(told[0]).not.toHaveProperty('accountId');
    expect(told.slice(1).every(({ accountId }) => typeof accountId === 'string')).toBe(true);
    expect(JSON.stringify(lines)).not.toMatch(/not the password|nobody@example/);
  });

  it('tells of refused credentials and of changes of keys', async () => {
    let secret = '';
    const lines = await linesOf(
      async () => {
        await service.anonymous.send('GET', '/datasets/', undefined, { 'X-API-Key': 'kb_wrong' });
        await service.anonymous.send('GET', '/datasets/', undefined, { Authorization: 'Bearer wrong' });
        const key = await service.admin.post<{ id: string; secret: string }>('/auth/api-keys', {
          name: 'Logged',
          scopes: [],
        });
        secret = key.secret;
        await service.anonymous.send('GET', '/datasets/', undefined, { 'X-API-Key': `${key.secret}x` });
        await service.admin.send('DELETE', `/auth/api-keys/${key.id}`);
      },
      ({ msg }) => msg === 'api_key.deleted',
    );
    expect(lines.filter(({ msg }) => msg === 'auth.credential_refused').map(({ kind }) => kind)).toEqual([
      'API key',
      'access token',
      'API key',
    ]);
    const made = lines.find(({ msg }) => msg === 'api_key.created')!;
    expect(made).toMatchObject({ level: 'info', address: '127.0.0.1', actor: expect.stringMatching(/^account:/) });
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('stays JSON lines without a secret or an object of a library when the database is killed', async () => {
    const [, database] = await service.process.rootPids();
    const credentials = await readFile(join(service.process.folder, 'data/postgres/credentials.json'), 'utf8');
    const lines = await linesOf(
      async () => {
        process.kill(database!, 'SIGKILL');
        // Requests go on all the time, so that every way of failing is taken.
        const isBack = async (): Promise<boolean> => {
          const { status } = await service.admin.send('GET', '/datasets/');
          return status === 200 && service.process.log.some((line) => line.includes('embedded_postgres.restarted'));
        };
        await until(isBack, { withinMs: 60_000, everyMs: 100 });
      },
      ({ msg }) => msg === 'embedded_postgres.restarted',
    );
    expect(lines.some(({ msg }) => msg === 'database.connection_lost' || msg === 'queue.connection_lost')).toBe(true);
    const text = JSON.stringify(lines);
    for (const password of Object.values(JSON.parse(credentials) as Record<string, string>)) {
      expect(text).not.toContain(password);
    }
    expect(text).not.toMatch(/connectionParameters|secretKey|processID/);
  });
});
