import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block } from '#libs/text';
import { parseDocument } from '../child/parse-document.js';
import type { ParsedDocument, ParseOptions } from '../document-parser.port.js';

/** A parsed document with its text and blocks in memory, and the words of each block. */
export interface ParsedBytes {
  document: ParsedDocument;
  text: string;
  blocks: Block[];
  /** `kind: words` of every block. */
  outline: string[];
}

/** Makes a temporary directory, hands it to `work`, and removes it. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'parsing-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Parses bytes in this process, without a child. Rejects with `ParseError`. */
export async function parseBytes(
  bytes: Buffer | string,
  fileName: string,
  options?: ParseOptions,
): Promise<ParsedBytes> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'input');
    writeFileSync(path, bytes);
    return readParsed(await parseDocument({ path, fileName, workDirectory: directory, options }));
  });
}

/** Reads the output of a parse as a whole. */
export function readParsed(document: ParsedDocument): ParsedBytes {
  const text = document.short?.text ?? readFileSync(document.textPath, 'utf16le');
  const blockLines = document.short?.blocks ?? readFileSync(document.blocksPath, 'utf8');
  const lines = blockLines.split('\n').filter(Boolean);
  const blocks = lines.map((line) => JSON.parse(line) as Block);
  return {
    document,
    text,
    blocks,
    outline: blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`),
  };
}
