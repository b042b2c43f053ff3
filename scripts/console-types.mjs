/** `npm run console:types`: types of the interface for the console, made of docs/openapi.json, and the check of the console's sources against them. */
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DESCRIPTION = join(ROOT, 'docs/openapi.json');
const TYPES = join(ROOT, 'console/src/api/schema.d.ts');

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed(TYPES) <= changed(DESCRIPTION)) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  writeFileSync(TYPES, astToString(await openapiTS(new URL(`file://${DESCRIPTION}`), { defaultNonNullable: false })));
}
const { status } = spawnSync('tsc', ['--noEmit', '--project', 'console/tsconfig.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
