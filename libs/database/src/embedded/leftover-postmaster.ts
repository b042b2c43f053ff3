import { delay } from '#libs/common';
import { removeStalePidFile } from './cluster-files.js';
import type { ClusterCredentials } from './credentials.js';
import { clusterOf } from './data-location.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { START_DEADLINE_MS, stopPostmaster, type PostmasterSetup, type StartedPostmaster } from './postmaster.js';
import { findRunningPostmaster, readPostmasterPid, type RunningPostmaster } from './postmaster-pid.js';
import { asSuperuser, connectFailure, readFacts } from './server-sessions.js';

const CONNECT_MS = 2_000;
const POLL_MS = 50;

/**
 * The server that a killed service left behind, when it answers and is as this service would start it; it goes on.
 * Null when a new one is to be started: there was none (a stale pid file is removed), or it did not answer within
 * `adoptDeadlineMs`, or has another version or setting (then it was stopped). Call it under the owner's lock.
 */
export async function adoptLeftover(
  setup: PostmasterSetup,
  credentials: ClusterCredentials,
  adoptDeadlineMs: number,
): Promise<StartedPostmaster | null> {
  const cluster = clusterOf(setup.home);
  const found = await findRunningPostmaster(cluster);
  if (found === null) {
    if ((await readPostmasterPid(cluster)) !== undefined) {
      await removeStalePidFile(cluster);
      setup.log('embedded_postgres.stale_pid_file_removed', { folder: cluster });
    }
    return null;
  }
  const verdict = await examine(setup, credentials, found, adoptDeadlineMs);
  if (verdict === 'gone') return adoptLeftover(setup, credentials, adoptDeadlineMs);
  if (typeof verdict === 'object') return verdict;
  setup.log('embedded_postgres.leftover_stopped', { serverPid: found.pid, reason: verdict });
  await stopPostmaster(found.identity);
  return null;
}

type Verdict = StartedPostmaster | 'gone' | 'no_answer' | 'other_configuration';

async function examine(
  setup: PostmasterSetup,
  credentials: ClusterCredentials,
  found: RunningPostmaster,
  adoptDeadlineMs: number,
): Promise<Verdict> {
  const began = performance.now();
  let lastAnswer = began;
  for (;;) {
    const current = await findRunningPostmaster(clusterOf(setup.home));
    if (current?.identity.started !== found.identity.started) return 'gone';
    try {
      const facts = await asSuperuser(credentials, current.port, Math.min(CONNECT_MS, adoptDeadlineMs), readFacts);
      const same = facts.version === setup.programs.version && facts.maxConnections === setup.maxConnections;
      return same ? { identity: found.identity, port: current.port } : 'other_configuration';
    } catch (error) {
      const failure = connectFailure(error);
      if (failure === 'refused_login') throw loginRefused(setup.home, error);
      // It replays its log or shuts down: that is an answer, and may take longer.
      if (failure === 'busy') lastAnswer = performance.now();
    }
    const silent = performance.now() - lastAnswer;
    if (silent > adoptDeadlineMs || performance.now() - began > START_DEADLINE_MS) return 'no_answer';
    await delay(POLL_MS);
  }
}

/** The credentials file does not belong to the cluster beside it. */
export function loginRefused(home: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'credentials_mismatch',
    `The database in ${home} refuses the passwords of the credentials.json beside it. Restore both from the same backup.`,
    { cause },
  );
}
