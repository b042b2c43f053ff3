import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongSpecsFirst } from './scripts/lib/long-specs-first.js';
import { keepTemporaryFilesInMemory } from './scripts/lib/temporary-folder.js';

keepTemporaryFilesInMemory();

const root = fileURLToPath(new URL('.', import.meta.url));
// What packages compile to is kept for the next worker, and for what tests start with the same environment.
process.env['NODE_COMPILE_CACHE'] ??= `${root}.cache/compiled`;

const shared = {
  resolve: {
    alias: [{ find: /^#libs\/(.*)$/, replacement: `${root}libs/$1/src/index.ts` }],
  },
};

const common = {
  root,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  setupFiles: ['libs/testing/src/setup.ts'],
};

/**
 * Tiers: `unit` needs nothing, `integration` real PostgreSQL, queue, LanceDB and child processes, `e2e` a built service that specs share,
 * `own-services` built services that a spec starts for itself, `browser` uses one in Chromium, `crash` kills it, `drill` breaks it on purpose,
 * `engines` runs it on real search engines, `s3` with its files in a bucket, `package` with a package of another team.
 */
export default defineConfig({
  test: {
    root,
    maxWorkers: 2,
    sequence: { sequencer: LongSpecsFirst },
    projects: [
      {
        ...shared,
        test: {
          ...common,
          name: 'unit',
          isolate: false,
          include: ['libs/**/*.spec.ts', 'src/**/*.spec.ts', 'console/**/*.spec.ts', 'bench/**/*.spec.ts'],
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'integration',
          isolate: false,
          include: ['libs/**/*.int-spec.ts', 'src/**/*.int-spec.ts'],
          globalSetup: ['libs/testing/src/database-cluster.setup.ts'],
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'e2e',
          isolate: false,
          include: ['test/**/*.spec.ts'],
          exclude: [
            'test/browser/**',
            'test/crash/**',
            'test/engines/**',
            'test/matrix/**',
            'test/own-services/**',
            'test/s3/**',
            'test/extension/**',
            'test/package/**',
          ],
          globalSetup: ['test/support/shared-services.setup.ts'],
          testTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'own-services',
          isolate: false,
          include: ['test/own-services/**/*.spec.ts', 'test/matrix/**/*.spec.ts'],
          globalSetup: ['test/support/shared-services.setup.ts'],
          testTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'browser',
          include: ['test/browser/**/*.spec.ts'],
          testTimeout: 150_000,
          // As long as Playwright's own waits: a page that draws on a busy machine tells nothing for more than Vitest's one second.
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'crash',
          include: ['test/crash/**/*.spec.ts'],
          testTimeout: 150_000,
          fileParallelism: false,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'drill',
          include: ['test/drill/**/*.drill.ts'],
          testTimeout: 7_200_000,
          hookTimeout: 600_000,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'package',
          include: ['test/package/**/*.spec.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 's3',
          include: ['test/s3/**/*.spec.ts'],
          testTimeout: 150_000,
          fileParallelism: false,
        },
      },
      {
        ...shared,
        test: {
          ...common,
          name: 'engines',
          include: ['test/engines/**/*.spec.ts'],
          globalSetup: ['test/support/engines.setup.ts'],
          testTimeout: 150_000,
          hookTimeout: 400_000,
        },
      },
    ],
  },
});
