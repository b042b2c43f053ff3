import type { Turn } from './conversation';

/** A question whose answer has not come yet. */
export type Asked = Pick<Turn, 'question' | 'datasetIds' | 'hasBegun'>;

interface Kept {
  /** The last turn that the service had kept when they were asked; null: none. */
  readonly after: string | null;
  readonly asked: readonly Asked[];
}

const PREFIX = 'asked ';
let isLeaving = false;

/** What is broken off because the page goes away is not over. */
export function watchLeaving(): void {
  addEventListener('pagehide', () => (isLeaving = true));
  addEventListener('pageshow', () => (isLeaving = false));
}

/** Keeps in this tab what a conversation has not answered yet, so that a reload loses no question. */
export function keepAsked(id: string, turns: readonly Turn[]): void {
  if (isLeaving) return;
  const open = turns.filter(({ state, isWaiting }) => state === 'coming' || isWaiting === true);
  if (open.length === 0) {
    sessionStorage.removeItem(PREFIX + id);
    return;
  }
  const after = turns.findLast(({ turnId }) => turnId !== undefined)?.turnId ?? null;
  const asked = open.map(({ question, datasetIds, hasBegun = false }) => ({ question, datasetIds, hasBegun }));
  sessionStorage.setItem(PREFIX + id, JSON.stringify({ after, asked } satisfies Kept));
}

/** What was asked in this tab and has no answer among the turns that the service has kept. */
export function openQuestions(id: string, turns: readonly Turn[]): readonly Asked[] {
  const text = sessionStorage.getItem(PREFIX + id);
  if (text === null) return [];
  const { after, asked } = JSON.parse(text) as Kept;
  const later = turns.slice(turns.findIndex(({ turnId }) => turnId === after) + 1).map(({ question }) => question);
  return asked.filter(({ question }) => {
    const at = later.indexOf(question);
    if (at >= 0) later.splice(at, 1);
    return at < 0;
  });
}

/** Nobody who signs in afterwards reads what was asked. */
export function forgetAsked(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
