import { useSyncExternalStore, type ReactElement } from 'react';
import { Problem } from '../api/problem';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';

/** How long a deed waits for who takes it back. */
const MOMENT_MS = 10_000;

/** Something that cannot be taken back once it is done, and so is done a moment later. */
interface Deed {
  readonly id: number;
  readonly text: string;
  /** What it is done to; lists show these as leaving. */
  readonly ids: readonly string[];
  readonly run: () => Promise<unknown>;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
  readonly problem: string | undefined;
}

let deeds: readonly Deed[] = [];
let leaving: ReadonlySet<string> = new Set();
let last = 0;
const listeners = new Set<() => void>();

export function subscribeSoon(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ids of what is about to go. */
export function leavingIds(): ReadonlySet<string> {
  return leaving;
}

/**
 * Does something in a moment, on whichever page the person is then, unless it is taken back. A text that `run` resolves to
 * says what was left undone, and stays to be read.
 */
export function soon(text: string, ids: readonly string[], run: () => Promise<unknown>): void {
  const id = (last += 1);
  const timer = setTimeout(() => void carryOut(id), MOMENT_MS);
  set([...deeds, { id, text, ids, run, timer, problem: undefined }]);
}

/** Takes back all that waits: what one person has begun is not done as another. */
export function forgetSoon(): void {
  for (const { timer } of deeds) clearTimeout(timer);
  set([]);
}

async function carryOut(id: number): Promise<void> {
  const deed = deeds.find((one) => one.id === id);
  if (deed === undefined) return;
  try {
    const undone = await deed.run();
    if (typeof undone === 'string') end(id, undone);
    else drop(id);
  } catch (error) {
    const problem = error instanceof Problem && error.message !== '' ? error.message : t('error.away');
    end(id, problem);
  }
}

function end(id: number, problem: string): void {
  set(deeds.map((one) => (one.id === id ? { ...one, ids: [], timer: undefined, problem } : one)));
}

function drop(id: number): void {
  clearTimeout(deeds.find((one) => one.id === id)?.timer);
  set(deeds.filter((one) => one.id !== id));
}

function set(next: readonly Deed[]): void {
  deeds = next;
  leaving = new Set(next.flatMap(({ ids }) => ids));
  for (const listener of listeners) listener();
}

const current = (): readonly Deed[] => deeds;

/** What is about to be done, each with a button that takes it back. */
export function Soon(): ReactElement {
  const all = useSyncExternalStore(subscribeSoon, current);
  return (
    <div className="soon" role="status">
      {all.map(({ id, text, problem }) => (
        <p key={id}>
          <span>{problem === undefined ? text : `${text}: ${problem}`}</span>
          {problem === undefined ? (
            <Button look="plain" onPress={() => drop(id)}>
              {t('soon.undo')}
            </Button>
          ) : (
            <Button look="plain" square aria-label={t('tray.close')} onPress={() => drop(id)}>
              <Icon name="cross" />
            </Button>
          )}
        </p>
      ))}
    </div>
  );
}
