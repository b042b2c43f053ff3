import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const MOST_KEY_BYTES = 16 * 1024;

/** What an entry says wrong, and what to change. */
export class EntryProblem extends Error {}

/** Where keys are looked for. */
export interface KeyPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Paths are relative to it. */
  readonly folder: string;
}

/** Reads the key of an entry from where it names it, and gives it to `put`. */
export function readKey(
  entry: Readonly<Record<string, unknown>>,
  { environment, folder }: KeyPlaces,
  put: (field: string, key: string, read: () => unknown) => void,
): void {
  const { api_key_env: variable, api_key_file: file } = entry;
  if (variable !== undefined && file !== undefined) {
    put('api_key_file', 'apiKey', () => {
      throw new EntryProblem('is given beside api_key_env; keep one of them');
    });
    return;
  }
  if (variable !== undefined) {
    put('api_key_env', 'apiKey', () => {
      if (typeof variable !== 'string' || !VARIABLE.test(variable)) {
        throw new EntryProblem('must be the name of an environment variable, not a key');
      }
      const key = environment[variable]?.trim() ?? '';
      if (key === '') throw new EntryProblem('names an environment variable that is not set; set it to the key');
      return key;
    });
  }
  if (file !== undefined) put('api_key_file', 'apiKey', () => keyIn(file, folder));
}

function keyIn(file: unknown, folder: string): string {
  if (typeof file !== 'string' || file.trim() === '') throw new EntryProblem('must be the path of a file');
  let text: string;
  try {
    text = readFileSync(resolve(folder, file), 'utf8');
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown';
    throw new EntryProblem(
      `the file cannot be read (${code}); put the key alone into a file that the service may read`,
    );
  }
  const key = text.trim();
  if (key === '' || text.length > MOST_KEY_BYTES) throw new EntryProblem('the file must hold the key and nothing else');
  return key;
}
