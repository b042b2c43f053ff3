import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  resolve: {
    alias: [{ find: /^#libs\/(.*)$/, replacement: `${root}libs/$1/src/index.ts` }],
  },
  test: {
    root,
    include: ['libs/**/*.spec.ts', 'src/**/*.spec.ts', 'libs/**/*.int-spec.ts', 'src/**/*.int-spec.ts', 'test/**/*.spec.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['libs/testing/src/setup.ts'],
  },
});
