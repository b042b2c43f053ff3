import type { UnsentFile } from './lost-files.js';

interface Kept {
  readonly files: readonly UnsentFile[];
  /** How many of them the page may still send. */
  readonly open: number;
  /** The account that chose them: nobody else reads their names. */
  readonly person: string;
  /** When the page that sends them was last there; 0: it has been left. */
  readonly at: number;
}

const PREFIX = 'uploads ';
/** So often a page says that it is still there. */
const BEAT_MS = 5_000;
/** Where a browser has no locks, a page that said nothing for so long has ended: one in the background may speak once a minute. */
const SILENT_MS = 300_000;
/** More names are no help, and the store of a browser is small. */
const MOST_NAMES = 1_000;

/** Of this page: others send files of their own. It is also the name of a lock that the page holds for as long as it lives. */
const own = `${PREFIX}${String(Date.now())}-${String(Math.random())}`;
let left: readonly UnsentFile[] = [];
let person = '';
let beat: ReturnType<typeof setInterval> | undefined;
let held: Promise<void> | undefined;
let open: () => readonly UnsentFile[] = () => [];
const listeners = new Set<() => void>();

export const subscribeUnsent = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const unsentFiles = (): readonly UnsentFile[] => left;

/** From now on keeps what `files` says whenever this page may go. */
export function keepUnsentOf(files: () => readonly UnsentFile[]): void {
  open = files;
  addEventListener('pagehide', () => keep(0));
}

/** Takes over what pages of this account that are gone have left, and what it lost on this page when it signed out. */
export async function takeOverUnsent(account: string, lost: readonly UnsentFile[] = []): Promise<void> {
  person = account;
  if (lost.length > 0) {
    show([...left, ...lost]);
    keep(Date.now());
  }
  await hold();
  for (const key of keys()) if (key !== own) await takeOver(key);
}

/** Files are on their way: while they are, what is left is kept from time to time, should the page end without a word. */
export function beginKeepingUnsent(): void {
  // At once: another tab may sign out before the first beat.
  keep(Date.now());
  beat ??= setInterval(() => {
    keep(Date.now());
    if (open().length > 0) return;
    clearInterval(beat);
    beat = undefined;
  }, BEAT_MS);
}

/** What is on its way is another: other tabs count it when they sign out. */
export function updateKeptUnsent(): void {
  if (beat !== undefined) keep(Date.now());
}

/** Forgets those of a dataset, or only those that are chosen once more. */
export function forgetUnsent(datasetId: string, names?: ReadonlySet<string>): void {
  const stays = (file: UnsentFile): boolean =>
    file.datasetId !== datasetId || (names !== undefined && !names.has(file.name));
  if (left.every(stays)) return;
  show(left.filter(stays));
  keep(Date.now());
}

/** How many files of this account other pages are sending; signing out ends that too. */
export function sendingElsewhere(): number {
  const others = keys().map((key) => (key === own ? undefined : keptAt(key)));
  return others.reduce((sum, kept) => sum + (kept?.person === person && kept.at > 0 ? kept.open : 0), 0);
}

/** Who signs out leaves no names behind, of this page or another one. */
export function forgetAllUnsent(): void {
  for (const key of keys()) if (key === own || keptAt(key)?.person === person) localStorage.removeItem(key);
  person = '';
  show([]);
}

const keys = (): readonly string[] => Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));

function show(files: readonly UnsentFile[]): void {
  left = files;
  for (const listener of listeners) listener();
}

const locks = (): LockManager | undefined => navigator.locks;

/** The lock is given back when the page ends, however it ends; a page whose timers are slowed down still has it. */
function hold(): Promise<void> {
  held ??= new Promise((resolve) => {
    const manager = locks();
    if (manager === undefined) resolve();
    else
      void manager.request(own, () => {
        resolve();
        return new Promise(() => undefined);
      });
  });
  return held;
}

async function takeOver(key: string): Promise<void> {
  const at = keptAt(key)?.at ?? 0;
  const manager = locks();
  if (at === 0 || (manager === undefined && at <= Date.now() - SILENT_MS)) take(key);
  else if (manager !== undefined)
    await manager.request(key, { ifAvailable: true }, (lock) => {
      if (lock !== null) take(key);
    });
}

function take(key: string): void {
  const kept = keptAt(key);
  if (kept !== undefined && kept.person !== person) return;
  localStorage.removeItem(key);
  if (kept === undefined) return;
  show([...left, ...kept.files]);
  keep(Date.now());
}

function keep(at: number): void {
  const sending = open();
  const files = [...left, ...sending].slice(0, MOST_NAMES);
  try {
    if (files.length === 0 || person === '') localStorage.removeItem(own);
    else localStorage.setItem(own, JSON.stringify({ files, open: sending.length, person, at } satisfies Kept));
  } catch {
    // No room: then nothing is said after the page is gone.
  }
}

function keptAt(key: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '') as Partial<Kept>;
    const isKept = Array.isArray(kept.files) && typeof kept.at === 'number' && typeof kept.person === 'string';
    return isKept ? ({ open: 0, ...kept } as Kept) : undefined;
  } catch {
    // Not of this version.
    return undefined;
  }
}
