import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { missingSettings, type SettingsValues } from '#libs/config';
import { inspectDatabase, UnitOfWork } from '#libs/database';
import { createObjectStorage, type ObjectStorage } from '#libs/object-storage';
import { ADAPTERS } from '../app/adapters.js';
import { objectStorageOptions, RecordedUploads } from '../app/object-storage-options.js';
import { loadConfiguration } from '../plugins/load-configuration.js';
import { BackupError } from './backup/backup.errors.js';
import { reportFailure } from './backup/report-failure.js';
import { copyFiles, removeCopied } from './files/copy-files.js';
import { findMissingFiles } from './files/missing-files.js';
import { openRunningDatabase, type CommandDatabase } from './open-running-database.js';

/**
 * `npm run move-files -- --to KIND [--from KIND] [--remove]`: copies every original file into another storage while no service runs, and
 * reads each back. `--from` is what OBJECT_STORAGE says unless it is given. `--remove` then removes from the former storage what the new one
 * holds byte for byte. Exit code 0: everything is there; 1: something is not, or a service runs; 2: a wrong call.
 */
const RUNS = 'The service runs. Stop every process of it first.';
const SHOWN = 20;

interface Call {
  readonly to: string;
  readonly from: string | undefined;
  readonly remove: boolean;
}

const asked = readCall();
if (asked === undefined) {
  process.stderr.write('Say where to: npm run move-files -- --to KIND [--from KIND] [--remove]\n');
  process.exitCode = 2;
} else {
  await run(asked).catch((error: unknown) => reportFailure('Moving the files', error));
}

function readCall(): Call | undefined {
  try {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, from: { type: 'string' }, remove: { type: 'boolean', default: false } },
    });
    const { to, from, remove } = values;
    return to === undefined ? undefined : { to, from, remove };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

async function run({ to, from: named, remove }: Call): Promise<void> {
  const configuration = await loadConfiguration();
  const { settings } = configuration;
  const from = named ?? settings.objectStorage;
  if (from === to) {
    throw new BackupError(`The files are in ${to} already, as OBJECT_STORAGE says. Name another place with --from.`);
  }
  for (const kind of [from, to]) refuseIncomplete(kind, settings);
  await refuseRunning(settings);
  const command = await openRunningDatabase(configuration);
  try {
    if (command.serviceRuns === true) throw new BackupError(RUNS);
    const uploads = new RecordedUploads(new UnitOfWork(command.database));
    const open = (kind: string): Promise<ObjectStorage> =>
      createObjectStorage(objectStorageOptions(settings, uploads, kind));
    const target = await open(to);
    await target.ping();
    // Of a move that was killed; no one else writes.
    await target.removeUnfinished(new Date());
    await move(command, { from: await open(from), target }, { from, to, remove });
  } finally {
    await command.close();
  }
}

async function move(
  command: CommandDatabase,
  { from, target }: { readonly from: ObjectStorage; readonly target: ObjectStorage },
  call: { readonly from: string; readonly to: string; readonly remove: boolean },
): Promise<void> {
  const { copied, copiedBytes, present, failed } = await copyFiles(from, target);
  say(`${copied} files copied and read back, ${copiedBytes} bytes; ${present} were in ${call.to} already`);
  const url = command.database.url;
  const missing = await findMissingFiles({ url, rolePrefix: command.settings.databaseRolePrefix }, target);
  const absent = [...new Set([...failed, ...missing])];
  if (absent.length > 0) {
    const shown = absent.slice(0, SHOWN).join('\n  ');
    throw new BackupError(
      `${absent.length} files are not in ${call.to} as documents name them; nothing was removed. The first of them:\n  ${shown}`,
    );
  }
  if (!call.remove) {
    say(
      `Set OBJECT_STORAGE=${call.to} and start the service. "--from ${call.from} --to ${call.to} --remove" then empties ${call.from}.`,
    );
    return;
  }
  const kept = await removeCopied(from, target);
  if (kept > 0) throw new BackupError(`${kept} files changed meanwhile and stay in ${call.from}.`);
  say(`${call.from} is empty. Set OBJECT_STORAGE=${call.to} and start the service.`);
}

/** Asked before this command connects as the service does. */
async function refuseRunning({ databaseUrl, databaseMigrationUrl }: SettingsValues): Promise<void> {
  if (databaseUrl === undefined) return;
  const { serviceRuns } = await inspectDatabase({
    serviceUrl: databaseUrl,
    ownerUrl: databaseMigrationUrl ?? databaseUrl,
  });
  if (serviceRuns) throw new BackupError(RUNS);
}

function refuseIncomplete(kind: string, { adapterValues }: SettingsValues): void {
  const definition = ADAPTERS.objectStorage.adapters.find((adapter) => adapter.kind === kind);
  if (definition === undefined) {
    const known = ADAPTERS.objectStorage.adapters.map((adapter) => adapter.kind);
    throw new BackupError(`There is no storage ${kind}; there are ${known.join(', ')}.`);
  }
  const missing = missingSettings(definition, adapterValues);
  if (missing.length > 0) throw new BackupError(`${kind} needs ${missing.join(', ')}.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
