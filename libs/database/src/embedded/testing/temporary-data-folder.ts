import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from '../embedded-postgres.js';
import { findRunningPostmaster } from '../postmaster-pid.js';
import { stopPostmaster } from '../postmaster.js';

/** A data folder of its own for a spec; `dispose` ends every server of it and removes it. */
export interface Workplace {
  /** Every user can walk through it (a fresh temporary folder is 0700, which would make root relocate the data). */
  readonly folder: string;
  readonly dataDirectory: string;
  readonly events: { readonly event: string; readonly facts: object }[];
  start(options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>;
  /** Ends every server of the data folder and forgets the events; the cluster stays, for the next test (making one takes seconds). */
  stopAll(): Promise<void>;
  dispose(): Promise<void>;
}

export async function makeWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  await chmod(folder, 0o755);
  const dataDirectory = join(folder, 'postgres');
  const events: { event: string; facts: object }[] = [];
  const started: EmbeddedPostgres[] = [];
  const stopAll = async (): Promise<void> => {
    for (const server of started.splice(0)) await server.stop();
    // What a killed service process left behind.
    const leftover = await findRunningPostmaster(join(dataDirectory, 'cluster'));
    if (leftover !== null) await stopPostmaster(leftover.identity);
    events.length = 0;
  };
  return {
    folder,
    dataDirectory,
    events,
    start: async (options = {}) => {
      const log = (event: string, facts: object): void => void events.push({ event, facts });
      const server = await startEmbeddedPostgres({ dataDirectory, log, initdbNoSync: true, ...options });
      started.push(server);
      return server;
    },
    stopAll,
    dispose: async () => {
      await stopAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
