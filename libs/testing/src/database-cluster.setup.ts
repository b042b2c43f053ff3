import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#libs/database';
import { makeTemplate } from './template-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser address of the cluster that all integration specs share. */
    clusterUrl: string;
  }
}

/** One PostgreSQL for all integration specs; each spec file gets a database of its own from a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'kb-test-'));
  // PostgreSQL runs as a user of its own under root, which must be able to walk into the folder.
  await chmod(directory, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'postgres'),
    log: () => undefined,
    initdbNoSync: true,
    maxConnections: 200,
  });
  await makeTemplate(postgres.superuserUrl);
  project.provide('clusterUrl', postgres.superuserUrl);
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
