/**
 * Writes .env.example and docs/settings.md from the settings that libs/config and the adapters declare, or with `--check` compares:
 * `npm run env:example`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { buildOrExit } from './build-once.mjs';

await buildOrExit();
const { renderExampleFile, renderSettingsPage } = await import('../dist/libs/config/src/index.js');
const { ADAPTERS } = await import('../dist/src/app/adapters.js');
const texts = { '.env.example': renderExampleFile(ADAPTERS), 'docs/settings.md': renderSettingsPage(ADAPTERS) };

for (const [name, rendered] of Object.entries(texts)) {
  const target = new URL(`../${name}`, import.meta.url);
  const text = `${rendered.trimEnd()}\n`;
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    process.stderr.write(
      `${name} does not show the settings as they are. Run "npm run env:example" and commit the file.\n`,
    );
    process.exitCode = 1;
  }
}
