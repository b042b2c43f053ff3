import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { filesBelow } from './files-below.js';

/** Files below a folder, by their paths in it, that hold a word in UTF-8 or UTF-16. Files come and go while a service runs. */
export async function filesHolding(folder: string, word: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await filesBelow(folder)) {
    const bytes = await readFile(join(folder, path)).catch(() => Buffer.alloc(0));
    if (bytes.includes(word) || bytes.includes(Buffer.from(word, 'utf16le'))) found.push(path);
  }
  return found;
}
