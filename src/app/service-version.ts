import { existsSync, readFileSync } from 'node:fs';

let known: string | undefined;

/** The version in the package.json of this installation: the one place that says it. Read from the disk at the first call. */
export function serviceVersion(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { version: string };
  return version;
}
