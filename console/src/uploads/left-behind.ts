/** A file that was chosen and has not arrived when its page was left. */
export interface LeftFile {
  readonly datasetId: string;
  /** With its folders, where it came in a folder. */
  readonly name: string;
}

interface Kept {
  readonly files: readonly LeftFile[];
  /** When the page that sends them was last there; 0: it has been left. */
  readonly at: number;
}

const PREFIX = 'uploads ';
/** So often a page says that it is still there. */
const BEAT_MS = 5_000;
/** A page that said nothing for so long has ended without a word. */
const SILENT_MS = 60_000;
/** More names are no help, and the store of a browser is small. */
const MOST_NAMES = 1_000;

/** Of this page: others send files of their own. */
const own = `${PREFIX}${String(Date.now())}-${String(Math.random())}`;
let left: readonly LeftFile[] = [];
let beat: ReturnType<typeof setInterval> | undefined;
let open: () => readonly LeftFile[] = () => [];
const listeners = new Set<() => void>();

export const subscribeLeft = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const leftFiles = (): readonly LeftFile[] => left;

/** Takes over what pages that are gone have left, and from now on keeps what `files` says whenever this one may go. */
export function watchLeaving(files: () => readonly LeftFile[]): void {
  open = files;
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const kept = keptAt(key);
    if (kept !== undefined && kept.at > Date.now() - SILENT_MS) continue;
    left = [...left, ...(kept?.files ?? [])];
    localStorage.removeItem(key);
  }
  if (left.length > 0) keep(Date.now());
  addEventListener('pagehide', () => keep(0));
}

/** Files are on their way: while they are, what is left is kept from time to time, should the page end without a word. */
export function beginLeaving(): void {
  beat ??= setInterval(() => {
    keep(Date.now());
    if (open().length > 0) return;
    clearInterval(beat);
    beat = undefined;
  }, BEAT_MS);
}

/** Forgets those of a dataset, or only those that are chosen once more. */
export function forgetLeft(datasetId: string, names?: ReadonlySet<string>): void {
  const stays = (file: LeftFile): boolean =>
    file.datasetId !== datasetId || (names !== undefined && !names.has(file.name));
  if (left.every(stays)) return;
  left = left.filter(stays);
  keep(Date.now());
  for (const listener of listeners) listener();
}

function keep(at: number): void {
  const files = [...left, ...open()].slice(0, MOST_NAMES);
  try {
    if (files.length === 0) localStorage.removeItem(own);
    else localStorage.setItem(own, JSON.stringify({ files, at } satisfies Kept));
  } catch {
    // No room: then nothing is said after the page is gone.
  }
}

function keptAt(key: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '') as Partial<Kept>;
    return Array.isArray(kept.files) && typeof kept.at === 'number' ? (kept as Kept) : undefined;
  } catch {
    // Not of this version.
    return undefined;
  }
}
