export type EmbeddedPostgresErrorCode =
  | 'unsupported_platform'
  | 'programs_missing'
  | 'programs_unusable'
  | 'folder_not_usable'
  | 'disk_full'
  | 'port_not_usable'
  | 'data_in_use'
  | 'data_unreachable'
  | 'no_lasting_folder'
  | 'cannot_switch_user'
  | 'version_mismatch'
  | 'cluster_damaged'
  | 'credentials_mismatch'
  | 'start_failed'
  | 'stop_failed';

/** Why the embedded database does not run. The message tells the operator what happened and what to do. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}

/** The `code` of a system error (`ENOENT`, …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Turns a system error about `path` into an error with advice; other errors are returned unchanged. */
export function asFolderError(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR') {
    return new EmbeddedPostgresError(
      'folder_not_usable',
      `The data folder cannot be used: no permission for ${path} (${code}). ` +
        'Give it to the user that runs the service, start as its owner, or set DATA_DIR to a folder that this user may write.',
      { cause: error },
    );
  }
  return error;
}

/** The disk below `path` has no room. */
export function diskFull(path: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'disk_full',
    `No space is left on the disk of ${path}. Free some space, or set DATA_DIR to a folder on another disk.`,
    { cause },
  );
}

/** Whether a program of PostgreSQL complained in `output` that the disk is full. */
export function saysDiskFull(output: string): boolean {
  return /No space left on device|Disk quota exceeded|could not extend file/.test(output);
}

/** Runs `work` and gives its system errors the advice of `asFolderError`. */
export async function onFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFolderError(error, path);
  }
}
