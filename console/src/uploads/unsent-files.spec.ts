import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

interface UnsentFile {
  readonly datasetId: string;
  readonly name: string;
}

/** What a page has of the module. */
interface Page {
  unsentFiles(): readonly UnsentFile[];
  keepUnsentOf(files: () => readonly UnsentFile[]): void;
  takeOverUnsent(account: string): Promise<void>;
  beginKeepingUnsent(): void;
  updateKeptUnsent(): void;
  forgetAllUnsent(): void;
  sendingElsewhere(): number;
}

const MODULE = fileURLToPath(new URL('unsent-files.ts', import.meta.url));
const NIGHT_MS = 8 * 3_600_000;

/** Locks of one browser: a page that ends gives back its own. */
class FakeLocks {
  readonly held = new Set<string>();

  readonly request = async (name: string, ...rest: unknown[]): Promise<unknown> => {
    const work = rest.at(-1) as (lock: object | null) => unknown;
    if (this.held.has(name)) return work(null);
    this.held.add(name);
    const result = work({ name });
    // What never ends keeps its lock.
    void Promise.resolve(result).then(() => this.held.delete(name));
    return rest.length > 1 ? result : undefined;
  };
}

/** What a browser has: its store is an object with keys of its own, as the real one is. */
function makeStore(): Storage {
  const methods = {
    getItem: (name: string) => (store as Record<string, string>)[name] ?? null,
    setItem: (name: string, value: string) => {
      (store as Record<string, string>)[name] = value;
    },
    removeItem: (name: string) => {
      delete (store as Record<string, string>)[name];
    },
  };
  const store = Object.create(methods) as unknown as Storage;
  return store;
}

describe('files that a page has left behind', () => {
  let store: Storage;
  let locks: FakeLocks;
  let leave: () => void;
  const files: readonly UnsentFile[] = [{ datasetId: 'd', name: 'letters/salary.pdf' }];

  beforeEach(() => {
    vi.useFakeTimers();
    store = makeStore();
    locks = new FakeLocks();
    vi.stubGlobal('localStorage', store);
    vi.stubGlobal('navigator', { locks });
    vi.stubGlobal('addEventListener', (_name: string, listener: () => void) => {
      leave = () => {
        vi.clearAllTimers();
        listener();
      };
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  async function open(account: string, sending: readonly UnsentFile[] = []): Promise<Page> {
    vi.resetModules();
    const page = (await import(MODULE)) as Page;
    page.keepUnsentOf(() => sending);
    await page.takeOverUnsent(account);
    if (sending.length > 0) page.beginKeepingUnsent();
    await vi.advanceTimersByTimeAsync(6_000);
    return page;
  }

  it('are those of a page that was left, told once', async () => {
    await open('ada', files);
    leave();
    expect((await open('ada')).unsentFiles()).toEqual(files);
  });

  it('are none of a page in the background whose timers stand still', async () => {
    await open('ada', files);
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + NIGHT_MS);
    expect((await open('ada')).unsentFiles()).toEqual([]);
  });

  it('are those of a page that ended without a word', async () => {
    await open('ada', files);
    vi.clearAllTimers();
    locks.held.clear();
    expect((await open('ada')).unsentFiles()).toEqual(files);
  });

  it('without locks are not those of a page that speaks once a minute, as one in the background does', async () => {
    vi.stubGlobal('navigator', {});
    await open('ada', files);
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + 90_000);
    expect((await open('ada')).unsentFiles()).toEqual([]);
    vi.setSystemTime(Date.now() + NIGHT_MS);
    expect((await open('ada')).unsentFiles()).toEqual(files);
  });

  it('are told to nobody else', async () => {
    await open('ada', files);
    leave();
    expect((await open('bob')).unsentFiles()).toEqual([]);
    expect((await open('ada')).unsentFiles()).toEqual(files);
  });

  it('are counted while another page of their person sends them, and no longer', async () => {
    await open('ada', files);
    expect((await open('bob')).sendingElsewhere()).toBe(0);
    expect((await open('ada')).sendingElsewhere()).toBe(1);
  });

  it('are counted from their first moment on', async () => {
    const page = await open('ada');
    vi.resetModules();
    const other = (await import(MODULE)) as Page;
    await other.takeOverUnsent('ada');
    other.keepUnsentOf(() => files);
    other.beginKeepingUnsent();
    expect(page.sendingElsewhere()).toBe(1);
  });

  it('are counted no longer when the last of them has arrived', async () => {
    const page = await open('ada');
    let sending = files;
    vi.resetModules();
    const other = (await import(MODULE)) as Page;
    await other.takeOverUnsent('ada');
    other.keepUnsentOf(() => sending);
    other.beginKeepingUnsent();
    sending = [];
    other.updateKeptUnsent();
    expect(page.sendingElsewhere()).toBe(0);
  });

  it('are sent by nobody when that page was left', async () => {
    await open('ada', files);
    leave();
    expect((await open('ada')).sendingElsewhere()).toBe(0);
  });

  it('are gone when their person signs out, those of other pages too', async () => {
    await open('ada', files);
    const page = await open('ada', [{ datasetId: 'd', name: 'other.txt' }]);
    expect(Object.keys(store)).toHaveLength(2);
    page.forgetAllUnsent();
    expect(Object.keys(store)).toEqual([]);
    expect(page.unsentFiles()).toEqual([]);
    expect(JSON.stringify(store)).not.toContain('salary');
  });
});
