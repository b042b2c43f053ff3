/** `node scripts/console-bytes.ts`: what the built console (`dist/console`) makes someone fetch, against its limits. The exit code is 1 where something is too large. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../dist/console/', import.meta.url));
/** kB of gzip that someone fetches before the first page can be used, and for each further page with all that it imports. */
export const FIRST_LOAD_KB = 210;
export const SCREEN_KB = 60;
/** Catalogues of texts: one of them is fetched. */
const LANGUAGE = /^(en|de)-/;

/** What `console.json` says of a build. */
export interface ConsoleContents {
  readonly script: string;
  readonly styles: readonly string[];
  readonly preload: readonly string[];
  /** Files of each screen, without those that the page begins with. */
  readonly screens: Readonly<Record<string, readonly string[]>>;
  readonly files: readonly string[];
}

export interface ConsoleWeights {
  readonly firstBytes: number;
  readonly languages: readonly string[];
  readonly screens: readonly { readonly name: string; readonly bytes: number }[];
}

/** What is fetched first, and for each further page. `bytesOf` says how many bytes of a file are sent. */
export function weigh(
  { script, styles, preload, screens, files }: ConsoleContents,
  bytesOf: (name: string) => number,
): ConsoleWeights {
  const languages = files.filter((name) => LANGUAGE.test(name));
  const largest = Math.max(0, ...languages.map(bytesOf));
  const first = [script, ...styles, ...preload];
  const sumOf = (names: readonly string[]): number => names.reduce((bytes, name) => bytes + bytesOf(name), 0);
  return {
    firstBytes: sumOf(first) + largest,
    languages,
    screens: Object.entries(screens).map(([name, parts]) => ({ name, bytes: sumOf(parts) })),
  };
}

/** What is wrong with the weights of a build; nothing, where all are within their limits. */
export function problemsOf({ firstBytes, languages, screens }: ConsoleWeights): string[] {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  const problems: string[] = [];
  // A build of other names would be weighed without what it is made of.
  if (languages.length !== 2) problems.push(`${languages.length} catalogues of texts instead of 2`);
  if (screens.length === 0) problems.push('no further page');
  if (firstBytes >= FIRST_LOAD_KB * 1000)
    problems.push(`first load: ${kilobytes(firstBytes)}, the limit is ${FIRST_LOAD_KB} kB`);
  for (const { name, bytes } of screens)
    if (bytes >= SCREEN_KB * 1000) problems.push(`${name}: ${kilobytes(bytes)}, the limit is ${SCREEN_KB} kB`);
  return problems;
}

/** As it is sent: compressed where the build has done that. */
function sentBytes(name: string): number {
  const file = join(FOLDER, name);
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const weights = weigh(JSON.parse(readFileSync(join(FOLDER, 'console.json'), 'utf8')) as ConsoleContents, sentBytes);
  const problems = problemsOf(weights);
  for (const problem of problems) console.error(problem);
  const heaviest = weights.screens.toSorted((one, other) => other.bytes - one.bytes)[0];
  const figures = [`first load ${(weights.firstBytes / 1000).toFixed(1)} kB`];
  if (heaviest !== undefined)
    figures.push(`heaviest further page ${heaviest.name} ${(heaviest.bytes / 1000).toFixed(1)} kB`);
  console.log(figures.join(', '));
  if (problems.length > 0) process.exitCode = 1;
}
