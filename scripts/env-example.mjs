/** Writes .env.example from the settings that libs/config and the adapters declare, or with `--check` compares: `npm run env:example`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { buildOrExit } from './build-once.mjs';

const target = new URL('../.env.example', import.meta.url);
await buildOrExit();
const { renderExampleFile } = await import('../dist/libs/config/src/index.js');
const { ADAPTERS } = await import('../dist/src/adapters.js');
const text = `${renderExampleFile(ADAPTERS).trimEnd()}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  process.stderr.write(
    '.env.example does not show the settings as they are. Run "npm run env:example" and commit the file.\n',
  );
  process.exitCode = 1;
}
