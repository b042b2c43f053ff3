import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** What a tab offers to its pages. */
interface Tab {
  sessionState(): string;
  isServiceAway(): boolean;
  waitEnd(): number;
  startSession(): Promise<void>;
  signIn(email: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  beforeSignOut(finish: () => Promise<unknown>): void;
  credentialHeaders(): Readonly<Record<string, string>>;
  sessionFetch(request: Request): Promise<Response>;
  serviceBack(): Promise<void>;
}

const SESSION = fileURLToPath(new URL('session.ts', import.meta.url));
const ROOT = 'http://kb.test/';

/** The service, as far as sessions go: one cookie for all tabs, access tokens that can be made to end. */
class FakeService {
  cookie: string | undefined;
  person = 'ada';
  isAway = false;
  /** Refreshes that are refused because there were too many, one after another. */
  refusals = 0;
  readonly calls: string[] = [];
  private valid = new Set<string>();
  private made = 0;

  /** Ends access tokens, as time does. */
  endAccess(): void {
    this.valid.clear();
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.replace('/api/v1/', '');
    this.calls.push(path);
    await Promise.resolve();
    if (this.isAway) throw new TypeError('fetch failed');
    const body =
      request.method === 'POST' ? ((await request.json()) as { session?: string; session_optional?: boolean }) : {};
    if (path === 'auth/login') {
      expect(body.session).toBe('cookie');
      return this.give();
    }
    if (path === 'auth/refresh' && this.refusals > 0) {
      this.refusals -= 1;
      return new Response('{}', { status: 429, headers: { 'Retry-After': '7' } });
    }
    if (path === 'auth/refresh' && this.cookie === undefined) {
      // A failed request stands in the browser's log.
      expect(body.session_optional).toBe(true);
      return new Response(null, { status: 204 });
    }
    if (path === 'auth/refresh') return this.give();
    if (path === 'auth/logout') {
      this.cookie = undefined;
      return new Response(null, { status: 204 });
    }
    const token = request.headers.get('Authorization')?.slice('Bearer '.length);
    return this.valid.has(token ?? '') ? answer(200, { path }) : answer(401, { code: 'auth.credential_invalid' });
  };

  private give(): Response {
    this.made += 1;
    this.cookie = `cookie ${this.made}`;
    const claims = Buffer.from(JSON.stringify({ sub: this.person, jti: this.made })).toString('base64url');
    this.valid.add(`h.${claims}.s`);
    return answer(200, { access_token: `h.${claims}.s` });
  }
}

/** Tabs of one browser take turns. */
class FakeLocks {
  private last: Promise<unknown> = Promise.resolve();

  request<Result>(_name: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** Tabs of one test hear nothing of the next one's. */
const channels: InstanceType<typeof BroadcastChannel>[] = [];
class ClosedAfterwards extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
}

const answer = (status: number, body: object): Response => new Response(JSON.stringify(body), { status });

let service: FakeService;
let reload: ReturnType<typeof vi.fn>;
const openTab = async (): Promise<Tab> => {
  vi.resetModules();
  return (await import(SESSION)) as Tab;
};
const ask = async (tab: Tab, path = 'datasets'): Promise<number> =>
  (await tab.sessionFetch(new Request(`${ROOT}api/v1/${path}`))).status;
const refreshes = (): number => service.calls.filter((path) => path === 'auth/refresh').length;

beforeEach(() => {
  service = new FakeService();
  reload = vi.fn();
  vi.stubGlobal('location', { href: ROOT, reload });
  vi.stubGlobal('fetch', service.fetch);
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
  vi.stubGlobal('BroadcastChannel', ClosedAfterwards);
});
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
  vi.unstubAllGlobals();
});

describe('a tab', () => {
  it('goes on with the session that the browser has, and else asks who it is', async () => {
    const stranger = await openTab();
    await stranger.startSession();
    expect(stranger.sessionState()).toBe('signed-out');
    await stranger.signIn('ada', 'secret');
    expect(await ask(stranger)).toBe(200);

    const reloaded = await openTab();
    expect(reloaded.sessionState()).toBe('starting');
    await reloaded.startSession();
    expect(reloaded.sessionState()).toBe('signed-in');
    expect(await ask(reloaded)).toBe(200);
  });

  it('finishes what was begun as who signs out, and lets the next one in afterwards', async () => {
    const tab = await openTab();
    await tab.signIn('ada', 'secret');
    let credential: string | undefined;
    let finish = (): void => undefined;
    tab.beforeSignOut(() => {
      credential = tab.credentialHeaders()['Authorization'];
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const left = tab.signOut();
    const entered = tab.signIn('ada', 'secret');
    expect(tab.sessionState()).toBe('signed-out');
    // Whatever does not wait for the deed is done by then.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(service.calls).toEqual(['auth/login']);
    finish();
    await Promise.all([left, entered]);
    expect(service.calls).toEqual(['auth/login', 'auth/logout', 'auth/login']);
    expect(credential).toMatch(/^Bearer h\./);
    expect(await ask(tab)).toBe(200);
  });

  it('waits for a service that does not answer yet', async () => {
    vi.useFakeTimers();
    try {
      service.isAway = true;
      service.cookie = 'kept';
      const tab = await openTab();
      const started = tab.startSession();
      await vi.waitUntil(() => tab.isServiceAway());
      expect(tab.sessionState()).toBe('starting');
      service.isAway = false;
      await vi.advanceTimersByTimeAsync(2000);
      await started;
      expect([tab.sessionState(), tab.isServiceAway()]).toEqual(['signed-in', false]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('notes that the service has gone in the middle of work, and when it is back', async () => {
    vi.useFakeTimers();
    try {
      const tab = await openTab();
      await tab.signIn('ada', 'secret');
      service.isAway = true;
      await expect(ask(tab)).rejects.toMatchObject({ status: 0 });
      await vi.waitUntil(() => tab.isServiceAway());
      let isBack = false;
      void tab.serviceBack().then(() => {
        isBack = true;
      });
      await vi.advanceTimersByTimeAsync(6000);
      expect([tab.isServiceAway(), isBack]).toEqual([true, false]);
      service.isAway = false;
      await vi.advanceTimersByTimeAsync(2000);
      expect([tab.isServiceAway(), isBack]).toEqual([false, true]);
      expect(await ask(tab)).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits as it is told where there were too many requests, and says so', async () => {
    vi.useFakeTimers();
    try {
      service.refusals = 1;
      service.cookie = 'kept';
      const tab = await openTab();
      const started = tab.startSession();
      await vi.waitUntil(() => tab.waitEnd() > Date.now());
      expect(tab.isServiceAway()).toBe(false);
      await vi.advanceTimersByTimeAsync(6000);
      expect([tab.sessionState(), refreshes()]).toEqual(['starting', 1]);
      await vi.advanceTimersByTimeAsync(1000);
      await started;
      expect([tab.sessionState(), refreshes()]).toEqual(['signed-in', 2]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('shares one refresh among all requests that find their token too old, however late they hear of it', async () => {
    const tab = await openTab();
    await tab.signIn('ada', 'secret');
    service.endAccess();
    expect(await Promise.all(Array.from({ length: 5 }, () => ask(tab)))).toEqual([200, 200, 200, 200, 200]);
    expect(refreshes()).toBe(1);
  });

  it('lets requests wait until somebody has signed in again, and loses none', async () => {
    const tab = await openTab();
    await tab.signIn('ada', 'secret');
    service.endAccess();
    service.cookie = undefined;
    const waiting = [ask(tab, 'one'), ask(tab, 'two')];
    await vi.waitUntil(() => tab.sessionState() === 'expired');
    await tab.signIn('ada', 'secret');
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    expect(reload).not.toHaveBeenCalled();
  });

  it('begins anew for another person, and sends nothing of the first one', async () => {
    const tab = await openTab();
    await tab.signIn('ada', 'secret');
    service.endAccess();
    service.cookie = undefined;
    void ask(tab, 'of-ada');
    await vi.waitUntil(() => tab.sessionState() === 'expired');
    service.person = 'eve';
    void tab.signIn('eve', 'secret');
    await vi.waitUntil(() => reload.mock.calls.length > 0);
    expect(service.calls.filter((path) => path === 'of-ada')).toHaveLength(1);
    expect(tab.sessionState()).toBe('expired');
  });
});

describe('two tabs', () => {
  /** Resolves when all tabs that were opened before have heard the next message. */
  const nextMessage = (): Promise<unknown> => {
    const listener = new BroadcastChannel('kb.session /');
    return new Promise((resolve) => {
      listener.onmessage = resolve;
    });
  };
  const openTwo = async (): Promise<readonly [Tab, Tab]> => {
    const one = await openTab();
    await one.signIn('ada', 'secret');
    const other = await openTab();
    const heard = nextMessage();
    await other.startSession();
    await heard;
    return [one, other];
  };

  it('go on with the token that one of them has fetched', async () => {
    const [one, other] = await openTwo();
    service.endAccess();
    const before = refreshes();
    const heard = nextMessage();
    expect(await ask(one)).toBe(200);
    await heard;
    expect(await ask(other)).toBe(200);
    expect(refreshes() - before).toBe(1);
  });

  it('go on together when somebody has signed in again in one of them', async () => {
    const [one, other] = await openTwo();
    service.endAccess();
    service.cookie = undefined;
    const waiting = [ask(one), ask(other)];
    await vi.waitUntil(() => one.sessionState() === 'expired' && other.sessionState() === 'expired');
    await other.signIn('ada', 'secret');
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    expect(one.sessionState()).toBe('signed-in');
  });

  it('end together', async () => {
    const [one, other] = await openTwo();
    await one.signOut();
    await vi.waitUntil(() => other.sessionState() === 'signed-out');
    await expect(ask(other)).rejects.toMatchObject({ status: 401 });
    expect(service.cookie).toBeUndefined();
  });
});
