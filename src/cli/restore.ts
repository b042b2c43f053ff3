import type { SealedManifest } from './backup/backup-manifest.js';
import { reportFailure } from './backup/report-failure.js';
import { restoreBackup } from './backup/restore-backup.js';
import { loadConfiguration } from '../plugins/load-configuration.js';
import { readUnfinishedRestore } from '../app/unfinished-restore.js';

const CUT_OFF =
  'The restore is not finished, and no service starts on what is there. Call it again when the cause is mended.';

/**
 * `npm run restore -- DIR`: brings back what `npm run backup` wrote into DIR, into the empty DATA_DIR and, with DATABASE_URL,
 * that empty database, while no service runs. Exit code 0: all is back; 1: it could not be restored; 2: a wrong call.
 */
const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || folder === '' || folder.startsWith('-') || more.length > 0) {
  process.stderr.write('Say where from: npm run restore -- DIR\n');
  process.exitCode = 2;
} else {
  await run(folder).catch((error: unknown) => reportFailure('Restore', error));
}

async function run(from: string): Promise<void> {
  const { settings, plugins } = await loadConfiguration();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const manifest = await restoreBackup({ settings, plugins, folder: from, say }).catch(async (error: unknown) => {
    if ((await readUnfinishedRestore(settings.dataDir)) !== null) say(CUT_OFF);
    throw error;
  });
  for (const key of manifest.files.missing)
    process.stderr.write(`Warning: the file ${key} was missing in the backup.\n`);
  if (manifest.keys.included && settings.databaseUrl === undefined) say('Keys restored: access tokens stay valid.');
  else say(aboutKeys(manifest, settings.dataDir));
  say(`Restored the backup of ${manifest.created_at}. Start the service: it fills the vector store by itself.`);
}

function aboutKeys({ keys }: SealedManifest, dataDir: string): string {
  return keys.included
    ? `Keys restored to ${dataDir}/auth. With DATABASE_URL the service reads AUTH_JWT_KEY: set it to the content of that file to keep access tokens valid.`
    : 'Keys were not in the backup: unless AUTH_JWT_KEY is the same as before, access tokens end. Passwords, API keys and refresh tokens stay valid.';
}
