import { readFileSync } from 'node:fs';
import type { Block } from '#libs/text';
import type { UnseenText } from './unseen-text.js';
import type { ParseOutput } from './parse-output.js';

/** Text and blocks of a file within another one, in memory. */
export interface ParsedPart {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly unseen: readonly UnseenText[];
}

/** Reads a closed output as a whole; for texts that are known to be short enough. */
export function readParsedPart(output: ParseOutput): ParsedPart {
  const lines = readFileSync(output.blocksPath, 'utf8').split('\n').filter(Boolean);
  return {
    text: readFileSync(output.textPath, 'utf16le'),
    blocks: lines.map((line) => JSON.parse(line) as Block).filter(({ kind }) => kind !== 'page_break'),
    unseen: output.locateUnseen(),
  };
}

/** Appends a part to an open output, set apart by an empty line. */
export function writeParsedPart({ text, blocks, unseen }: ParsedPart, output: ParseOutput): void {
  if (text === '') return;
  if (output.position > 0) output.writeText('\n\n');
  const shift = output.position;
  output.writeText(text);
  for (const block of blocks) output.writeBlock({ ...block, start: block.start + shift, end: block.end + shift });
  for (const { start, end, look } of unseen) output.addUnseen({ start: start + shift, end: end + shift, look });
}
