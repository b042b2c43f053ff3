/** Writes docs/openapi.json from the built service, or with `--check` compares: `npm run openapi [-- --check]`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build-once.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await buildOrExit();
mkdirSync(`${root}docs`, { recursive: true });
const arguments_ = ['dist/src/description/print-openapi.js', 'docs/openapi.json', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, arguments_, { cwd: root, stdio: 'inherit' }).status ?? 1;
