/** `node scripts/console-bytes.ts`: what the built console (`dist/console`) makes someone fetch, against its limits. The exit code is 1 where something is too large. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../dist/console/', import.meta.url));
/** kB of gzip that someone fetches before the first page can be used, and for each further page. */
export const FIRST_LOAD_KB = 210;
export const SCREEN_KB = 60;
/** What draws PDFs, with its worker, fonts and maps of characters: fetched when a PDF is opened. */
const VIEWER = /^pdf|\.(bcmap|pfb|ttf)$/;
/** Catalogues of texts: one of them is fetched. */
const LANGUAGE = /^(en|de)-/;

/** What `console.json` says of a build. */
export interface ConsoleContents {
  readonly script: string;
  readonly styles: readonly string[];
  readonly preload: readonly string[];
  readonly files: readonly string[];
}

export interface ConsoleWeights {
  readonly firstBytes: number;
  readonly languages: readonly string[];
  readonly later: readonly { readonly name: string; readonly bytes: number }[];
}

/** What is fetched first, and each file that a further page may fetch. `bytesOf` says how many bytes of a file are sent. */
export function weigh(
  { script, styles, preload, files }: ConsoleContents,
  bytesOf: (name: string) => number,
): ConsoleWeights {
  const languages = files.filter((name) => LANGUAGE.test(name));
  const largest = Math.max(0, ...languages.map(bytesOf));
  const first = [script, ...styles, ...preload];
  const later = files.filter((name) => ![...first, ...languages].includes(name) && !VIEWER.test(name));
  const sum = first.reduce((bytes, name) => bytes + bytesOf(name), largest);
  return { firstBytes: sum, languages, later: later.map((name) => ({ name, bytes: bytesOf(name) })) };
}

/** What is wrong with the weights of a build; nothing, where all are within their limits. */
export function problemsOf({ firstBytes, languages, later }: ConsoleWeights): string[] {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  const problems: string[] = [];
  // A build of other names would be weighed without what it is made of.
  if (languages.length !== 2) problems.push(`${languages.length} catalogues of texts instead of 2`);
  if (later.length === 0) problems.push('no further page');
  if (firstBytes >= FIRST_LOAD_KB * 1000)
    problems.push(`first load: ${kilobytes(firstBytes)}, the limit is ${FIRST_LOAD_KB} kB`);
  for (const { name, bytes } of later)
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
  const heaviest = weights.later.toSorted((one, other) => other.bytes - one.bytes)[0];
  const figures = [`first load ${(weights.firstBytes / 1000).toFixed(1)} kB`];
  if (heaviest !== undefined)
    figures.push(`heaviest further file ${heaviest.name} ${(heaviest.bytes / 1000).toFixed(1)} kB`);
  console.log(figures.join(', '));
  if (problems.length > 0) process.exitCode = 1;
}
