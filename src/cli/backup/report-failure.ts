import { CatalogueError } from '#libs/common';
import { SettingsError } from '#libs/config';
import { DatabaseAccessError, DatabaseSetupError, EmbeddedPostgresError } from '#libs/database';
import { ModelError } from '../model/model.errors.js';
import { BackupError } from './backup.errors.js';

const FOR_PEOPLE = [BackupError, ModelError, SettingsError, DatabaseSetupError, EmbeddedPostgresError, CatalogueError];

/** Says on standard error why the command failed, with a stack only for a defect, and makes the process end with 1. */
export function reportFailure(command: string, error: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`${command} failed: ${describe(error)}\n`);
}

function describe(error: unknown): string {
  if (error instanceof DatabaseAccessError) return describe(error.cause);
  if (!(error instanceof Error)) return String(error);
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return error.message;
  const { code, path, severity } = error as NodeJS.ErrnoException & { readonly severity?: string };
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `no permission for ${path ?? 'a folder'} (${code}). Run it as the user that runs the service, or give that user the folder.`;
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return `no space is left on the disk of ${path ?? 'the folder'}.`;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EEXIST') return error.message;
  if (severity !== undefined) return `PostgreSQL said: ${error.message} (${code ?? severity}).`;
  if (error instanceof AggregateError || code?.startsWith('ECONN') === true || code === 'ENOTFOUND') {
    return `the database cannot be reached (${code ?? error.message}). Look at DATABASE_URL.`;
  }
  return error.stack ?? error.message;
}
