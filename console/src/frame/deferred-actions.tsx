import { useEffect, useState, useSyncExternalStore, type ReactElement } from 'react';
import { doArrive, sendOff, type Departure } from '../api/departure';
import { Problem } from '../api/problem';
import { actingTenant, beforeSignOut } from '../api/session';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';

/** How long an action waits for who takes it back. */
const MOMENT_MS = 10_000;
/** How long it is said that an action is done. */
const DONE_MS = 5_000;
const SECOND_MS = 1_000;

/** What is done in a moment. */
interface Deferred {
  readonly text: string;
  /** Says that it is done. */
  readonly done: string;
  /** What it is done to; lists show these as about to go. */
  readonly ids: readonly string[];
  /** A text that it resolves to says what was left undone, and stays to be read; null: the page itself says it. */
  readonly run: () => Promise<unknown>;
  /** Requests that do the same for a page that goes away before. */
  readonly departures: readonly Departure[];
}

/** Something that cannot be taken back once it is done, and so is done a moment later. */
interface DeferredAction extends Deferred {
  readonly id: number;
  /** Where it was begun. */
  readonly tenant: string | undefined;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
  /** When it is done. */
  readonly at: number;
  /** What became of it; undefined while it can be taken back or is being done. */
  readonly became: string | undefined;
}

let actions: readonly DeferredAction[] = [];
let affected: ReadonlySet<string> = new Set();
let last = 0;
const listeners = new Set<() => void>();

export function subscribeDeferred(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ids of what is about to go. */
export function deferredIds(): ReadonlySet<string> {
  return affected;
}

/** Does something in a moment, on whichever page the person is then, unless it is taken back; at once where the person leaves or signs out before. */
export function deferAction(action: Deferred): void {
  const id = (last += 1);
  const timer = setTimeout(() => void carryOut(id), MOMENT_MS);
  set([...actions, { ...action, id, tenant: actingTenant(), timer, at: Date.now() + MOMENT_MS, became: undefined }]);
}

/** Says on whichever page the person is that something is done. */
export function tellDone(text: string): void {
  const id = (last += 1);
  const nothing = { done: text, ids: [], run: async () => undefined, departures: [], tenant: undefined };
  set([...actions, { ...nothing, id, text, timer: undefined, at: Date.now(), became: text }]);
  setTimeout(() => drop(id), DONE_MS);
}

/** What waits, and what is being done: of several requests the later ones would never be sent. What is done twice is refused the second time. */
const open = (): readonly DeferredAction[] => actions.filter(({ became }) => became === undefined);

/** Does all that waits now, as the page or its person goes. */
function departAll(): Promise<unknown> {
  const left = open();
  for (const { timer } of left) clearTimeout(timer);
  set([]);
  return Promise.all(left.map(({ departures, tenant }) => sendOff(departures, tenant)));
}

addEventListener('pagehide', () => void departAll());
beforeSignOut(departAll);
addEventListener('beforeunload', (event) => {
  if (!doArrive(open().flatMap(({ departures }) => departures))) event.preventDefault();
});

async function carryOut(id: number): Promise<void> {
  const action = actions.find((one) => one.id === id);
  if (action === undefined) return;
  set(actions.map((one) => (one.id === id ? { ...one, timer: undefined } : one)));
  try {
    const undone = await action.run();
    const { done } = action;
    if (undone === null) drop(id);
    else if (typeof undone === 'string') end(id, `${action.text}: ${undone}`);
    else {
      end(id, done);
      setTimeout(() => drop(id), DONE_MS);
    }
  } catch (error) {
    const problem = error instanceof Problem && error.message !== '' ? error.message : t('error.away');
    end(id, `${action.text}: ${problem}`);
  }
}

function end(id: number, became: string): void {
  set(actions.map((one) => (one.id === id ? { ...one, ids: [], became } : one)));
}

function drop(id: number): void {
  clearTimeout(actions.find((one) => one.id === id)?.timer);
  set(actions.filter((one) => one.id !== id));
}

function set(next: readonly DeferredAction[]): void {
  actions = next;
  affected = new Set(next.flatMap(({ ids }) => ids));
  for (const listener of listeners) listener();
}

const current = (): readonly DeferredAction[] => actions;

/** What is about to be done, each with the seconds that are left and a button that takes it back; afterwards what became of it. */
export function DeferredActions(): ReactElement {
  const all = useSyncExternalStore(subscribeDeferred, current);
  return (
    <div className="deferred" role="status">
      {all.map(({ id, text, timer, at, became }) => (
        <p key={id}>
          <span>{became ?? text}</span>
          {timer !== undefined && (
            <>
              <Seconds until={at} />
              <Button look="usual" onPress={() => drop(id)}>
                {t('deferred.undo')}
              </Button>
            </>
          )}
          {became !== undefined && (
            <Button look="plain" square aria-label={t('tray.close')} onPress={() => drop(id)}>
              <Icon name="cross" />
            </Button>
          )}
        </p>
      ))}
    </div>
  );
}

/** For eyes alone: a screen reader would say each. */
function Seconds({ until }: { readonly until: number }): ReactElement {
  const [now, tick] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="quiet small" aria-hidden="true">
      {t('deferred.seconds', { count: Math.max(1, Math.ceil((until - now) / SECOND_MS)) })}
    </span>
  );
}
