import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The version in the package.json of this installation. */
export async function serviceVersion(): Promise<string> {
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  const { version } = JSON.parse(await readFile(fileURLToPath(new URL('package.json', folder)), 'utf8')) as {
    version: string;
  };
  return version;
}

/** Whether `a` is a later version than `b`, by their three numbers. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [numbers(a), numbers(b)];
  for (const place of [0, 1, 2]) {
    if (left[place]! !== right[place]!) return left[place]! > right[place]!;
  }
  return false;
}

function numbers(version: string): number[] {
  return [...version.split(/[-+]/, 1)[0]!.split('.').map(Number), 0, 0, 0];
}
