/**
 * `npm run console:pictures -- FOLDER [LANGUAGE]`: pictures of every screen of the console and of what it opens, in both themes, wide and on a phone, on
 * a service with the files of an office, in English or in the language that is named. The browser tests take them where they look for faults of accessibility.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, language = 'en'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('npm run console:pictures -- FOLDER [LANGUAGE]\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const script = fileURLToPath(new URL('run-tests.mjs', import.meta.url));
const spec = 'test/browser/console-screens.spec.ts';
const child = spawn(
  process.execPath,
  [script, '--project', 'browser', spec, '-t', 'axe-core|on a phone in either theme'],
  {
    stdio: 'inherit',
    env: { ...process.env, CONSOLE_PICTURES: resolve(folder), CONSOLE_PICTURES_LANGUAGE: language },
  },
);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
