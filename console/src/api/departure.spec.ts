import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';

const credential = { current: { Authorization: 'Bearer one' } as Readonly<Record<string, string>> };
vi.mock('./session', () => ({
  credentialHeaders: (tenant?: string) => ({
    ...credential.current,
    ...(tenant === undefined ? {} : { 'X-Tenant-ID': tenant }),
  }),
}));
vi.mock('./root', () => ({ ROOT: new URL('http://kb.test/below/') }));

interface Departure {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}
interface Departures {
  doArrive(departures: readonly Departure[]): boolean;
  sendOff(departures: readonly Departure[], tenant?: string): Promise<unknown>;
}

// By its path: the types of the page are not those of its specs.
const { doArrive, sendOff } = (await import(fileURLToPath(new URL('departure.ts', import.meta.url)))) as Departures;

const batch = (count: number): Departure => ({
  method: 'POST',
  path: 'api/v1/documents/batch/delete',
  body: { document_ids: Array.from({ length: count }, () => crypto.randomUUID()) },
});

afterEach(() => vi.unstubAllGlobals());

/** What is asked of the browser, in a service that refuses the first. */
function watchFetch(): (readonly [string, RequestInit])[] {
  const asked: (readonly [string, RequestInit])[] = [];
  vi.stubGlobal('fetch', async (address: URL, init: RequestInit) => {
    asked.push([address.href, init]);
    if (asked.length === 1) throw new TypeError('fetch failed');
    return new Response(null, { status: 204 });
  });
  return asked;
}

it('sends all, as the person and in the organisation where it was begun, without waiting for one another', async () => {
  const asked = watchFetch();
  await sendOff([batch(1), { method: 'DELETE', path: 'api/v1/conversations/7' }], 'acme');
  expect(asked.map(([address]) => address)).toEqual([
    'http://kb.test/below/api/v1/documents/batch/delete',
    'http://kb.test/below/api/v1/conversations/7',
  ]);
  expect(asked[1]![1]).toEqual({
    method: 'DELETE',
    keepalive: true,
    headers: { Authorization: 'Bearer one', 'X-Tenant-ID': 'acme' },
  });
});

it('asks the browser to see as much to its end as browsers take, and says whether that is all', async () => {
  const asked = watchFetch();
  const batches = [500, 500, 500, 500, 3].map(batch);
  expect([doArrive(batches.slice(0, 3)), doArrive(batches)]).toEqual([true, false]);
  await sendOff(batches);
  expect(asked.map(([, { keepalive }]) => keepalive)).toEqual([true, true, true, false, true]);
});

it('sends nothing without a credential', async () => {
  const asked = watchFetch();
  credential.current = {};
  await sendOff([batch(1)]);
  expect(asked).toEqual([]);
});
