/** A file that was chosen and has not arrived when its page was left or its session ended. */
export interface UnsentFile {
  readonly datasetId: string;
  /** With its folders, where it came in a folder. */
  readonly name: string;
}

interface Lost {
  /** The account that chose them. */
  readonly person: string;
  readonly files: readonly UnsentFile[];
}

let lost: Lost | undefined;
const listeners = new Set<() => void>();

export const subscribeLost = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How many files were not sent because the session was ended. Their names are kept in memory alone, for the person who chose them. */
export const lostCount = (): number => lost?.files.length ?? 0;

export const tellLost = (person: string, files: readonly UnsentFile[]): void => change({ person, files });
export const forgetLost = (): void => change(undefined);

/** Somebody has signed in: what this person lost, and forgets it; what another one lost is forgotten unread. */
export function takeLost(person: string): readonly UnsentFile[] {
  const files = lost?.person === person ? lost.files : [];
  forgetLost();
  return files;
}

function change(next: Lost | undefined): void {
  lost = next;
  for (const listener of listeners) listener();
}
