import { fileURLToPath } from 'node:url';
import type { ChildOptions } from '../child/protocol.js';

const HEAP_MEBIBYTES = 192;

/** In a build this file is JavaScript and so is the entry; in tests both are TypeScript, run through a small loader. */
export function entryCommand(options: ChildOptions): string[] {
  const node = [process.execPath, `--max-old-space-size=${HEAP_MEBIBYTES}`, '--max-semi-space-size=8'];
  return [...node, ...entry(), JSON.stringify(options)];
}

function entry(): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL('../child/table-child.js', import.meta.url))];
  const loader = new URL('../testing/source-loader.mjs', import.meta.url).href;
  return ['--import', loader, fileURLToPath(new URL('../child/table-child.ts', import.meta.url))];
}
