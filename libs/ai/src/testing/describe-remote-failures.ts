import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { ModelFailure } from '../model-failure.js';
import type { Fault } from './doubles/fault.js';

/** What a suite needs of the server that an adapter talks to: the next request meets the fault. */
export interface FailingProvider {
  fail(...faults: Fault[]): void;
  /** What it was sent. */
  readonly requests: readonly unknown[];
}

/** One adapter and its provider; the adapter was opened with `key`, and gives up after `silenceMs`. */
export interface RemoteSubject {
  readonly provider: FailingProvider;
  readonly key: string;
  /** Makes one ordinary call. */
  readonly call: (signal?: AbortSignal) => Promise<unknown>;
}

type Expected = Partial<Pick<ModelFailure, 'kind' | 'status' | 'retryAfterMs' | 'isTransient'>>;

const STATUSES: [number, Expected][] = [
  [400, { kind: 'rejected', isTransient: false }],
  [401, { kind: 'rejected', isTransient: false }],
  [403, { kind: 'rejected', isTransient: false }],
  [404, { kind: 'rejected', isTransient: false }],
  [408, { kind: 'timeout', isTransient: true }],
  [409, { kind: 'unavailable', isTransient: true }],
  [413, { kind: 'rejected', isTransient: false }],
  [422, { kind: 'rejected', isTransient: false }],
  [429, { kind: 'rate_limited', isTransient: true }],
  [500, { kind: 'unavailable', isTransient: true }],
  [503, { kind: 'unavailable', isTransient: true }],
];

/** What every adapter of a remote model does when its provider fails, whatever the port. The adapter gives up a silent one soon. */
export function describeRemoteFailures(name: string, make: () => RemoteSubject | Promise<RemoteSubject>): void {
  describe(`${name}, whose provider fails`, () => {
    it.each(STATUSES)('tells of status %i whether the same call may succeed later', async (status, expected) => {
      const { provider, call } = await make();
      provider.fail({ kind: 'status', status, message: 'Some words.' });
      await expect(call()).rejects.toMatchObject({ name: 'ModelFailure', status, ...expected });
      await expect(call()).resolves.toBeDefined();
    });

    it('asks once and tells how long the provider asks to wait', async () => {
      const { provider, call } = await make();
      provider.fail({ kind: 'status', status: 429, retryAfter: '7' });
      await expect(call()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_000 });
      const later = new Date(Date.now() + 60_000).toUTCString();
      provider.fail({ kind: 'status', status: 503, retryAfter: later });
      const failure = await call().catch((error: unknown) => error as ModelFailure);
      expect((failure as ModelFailure).retryAfterMs).toBeGreaterThan(50_000);
      await call();
    });

    it.each([401, 429, 500])(
      "says in the provider's words why, without the key that they echo (%i)",
      async (status) => {
        const { provider, call, key } = await make();
        provider.fail({ kind: 'status', status, message: 'The account is closed.', echoesKey: true });
        const failure = await call().catch((error: unknown) => error as ModelFailure);
        expect((failure as ModelFailure).words).toContain('The account is closed.');
        expect(everythingOf(failure)).not.toContain(key);
        expect(everythingOf(failure)).not.toContain(key.slice(0, 10));
      },
    );

    it('tells that the connection was lost', async () => {
      const { provider, call } = await make();
      provider.fail({ kind: 'drop' });
      await expect(call()).rejects.toMatchObject({ kind: 'network', isTransient: true, status: null });
    });

    it('gives a silent provider up', async () => {
      const { provider, call } = await make();
      provider.fail({ kind: 'silent' });
      await expect(call()).rejects.toMatchObject({ kind: 'timeout', isTransient: true });
    });

    it('refuses an answer that is no JSON', async () => {
      const { provider, call } = await make();
      provider.fail({ kind: 'malformed' });
      await expect(call()).rejects.toMatchObject({ kind: 'malformed', isTransient: true });
    });

    it('stops waiting when its caller leaves, with the reason of the caller', async () => {
      const { provider, call } = await make();
      provider.fail({ kind: 'silent' });
      const controller = new AbortController();
      const reason = new Error('the caller left');
      const waiting = call(controller.signal);
      const refused = expect(waiting).rejects.toBe(reason);
      await vi.waitFor(() => expect(provider.requests).not.toHaveLength(0), 5_000);
      controller.abort(reason);
      await refused;
    });
  });
}

/** Everything that a log could write of an error: also what is not enumerable, and its causes. */
export function everythingOf(error: unknown): string {
  return inspect(error, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null });
}
