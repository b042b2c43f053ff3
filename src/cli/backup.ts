import { parseArgs } from 'node:util';
import type { SealedManifest } from './backup/backup-manifest.js';
import { makeBackup } from './backup/make-backup.js';
import { openSource } from './backup/open-source.js';
import { reportFailure } from './backup/report-failure.js';
import { loadConfiguration } from '../plugins/load-configuration.js';

/**
 * `npm run backup -- DIR [--with-keys]`: writes everything that the service keeps into the new or empty folder DIR, while the
 * service runs or when it is stopped. Exit code 0: the backup is whole; 1: it could not be made; 2: a wrong call.
 */
const asked = readArguments();
if (asked === undefined) {
  process.stderr.write('Say where to: npm run backup -- DIR [--with-keys]\n');
  process.exitCode = 2;
} else {
  await run(asked).catch((error: unknown) => reportFailure('Backup', error));
}

function readArguments(): { readonly folder: string; readonly withKeys: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({
      options: { 'with-keys': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [folder, ...more] = positionals;
    return folder === undefined || folder === '' || more.length > 0
      ? undefined
      : { folder, withKeys: values['with-keys'] };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

async function run({ folder, withKeys }: { readonly folder: string; readonly withKeys: boolean }): Promise<void> {
  const { settings } = await loadConfiguration();
  const source = await openSource(settings);
  try {
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    const manifest = await makeBackup({ settings, databaseUrl: source.url, folder, withKeys, say });
    warn(manifest);
    say(manifest.keys.note);
    say(
      `Backup written to ${folder}: version ${manifest.version}, migration ${manifest.migration}, ${manifest.sha256}`,
    );
  } finally {
    await source.close();
  }
}

function warn({ files }: SealedManifest): void {
  for (const key of files.missing) process.stderr.write(`Warning: the file ${key} is missing in the storage.\n`);
  for (const { key } of files.damaged) {
    process.stderr.write(`Warning: the file ${key} is not as it was uploaded; it is in the backup as it is.\n`);
  }
}
