/** How long the sign-in page names the lost files: the person may leave the screen afterwards. */
const SHOWN_MS = 120_000;

let lost: readonly string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const subscribeLost = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** Names of files that were not sent because the session was ended. In memory alone: nobody who comes later finds them. */
export const lostFiles = (): readonly string[] => lost;

export function tellLost(names: readonly string[]): void {
  clearTimeout(timer);
  lost = names;
  if (names.length > 0) timer = setTimeout(forgetLost, SHOWN_MS);
  for (const listener of listeners) listener();
}

export const forgetLost = (): void => tellLost([]);
