import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { unlessMissing } from './storage-failure.js';

interface Rounds {
  readonly running: Promise<void>;
  /** The next round, which begins when the running one has ended and serves all callers that come meanwhile. */
  next: Promise<void> | undefined;
}

/** Makes the entries of folders durable. Concurrent writers of the same folder share one system call. */
export class DirectorySyncs {
  private readonly rounds = new Map<string, Rounds>();

  constructor(private readonly syncNow: (path: string) => Promise<void> = syncDirectory) {}

  /** Resolves when everything that was in the folder at the call is durable. A folder that is gone needs nothing. */
  sync(path: string): Promise<void> {
    const rounds = this.rounds.get(path);
    if (rounds === undefined) return this.begin(path);
    // The running round may have passed what this caller has just written.
    rounds.next ??= rounds.running.then(
      () => this.begin(path),
      () => this.begin(path),
    );
    return rounds.next;
  }

  private begin(path: string): Promise<void> {
    const running = this.syncNow(path).finally(() => {
      if (this.rounds.get(path)?.running === running && this.rounds.get(path)?.next === undefined) {
        this.rounds.delete(path);
      }
    });
    this.rounds.set(path, { running, next: undefined });
    return running;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await unlessMissing(open(path, constants.O_RDONLY));
  if (directory === undefined) return;
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
