import type { Block } from '#libs/text';
import { readSegments } from '../read-segments.js';
import type { ParseOutput } from './parse-output.js';

const MAX_LEVEL = 6;

/**
 * Appends a finished output to an open one: a heading where one is given, then the text with its blocks moved behind what is there. Headings
 * of the appended text go below that heading; page breaks stay out, because the pages are not those of the whole document.
 */
export async function appendParsed(
  part: ParseOutput,
  whole: ParseOutput,
  heading?: { text: string; level: number },
): Promise<void> {
  if (heading !== undefined) writeHeading(whole, heading.text, heading.level);
  if (part.position > 0 && whole.position > 0) whole.writeText('\n\n');
  const shift = whole.position;
  for (const { start, end, look } of part.locateUnseen())
    whole.addUnseen({ start: start + shift, end: end + shift, look });
  const parsed = { textPath: part.textPath, blocksPath: part.blocksPath, textLength: part.position };
  for await (const { text, blocks } of readSegments(parsed)) {
    for (const block of blocks) {
      if (block.kind !== 'page_break') whole.writeBlock(moved(block, shift, heading?.level ?? 0));
    }
    whole.writeText(text);
  }
}

/** Writes a heading as a block of its own, set apart by an empty line. */
export function writeHeading(output: ParseOutput, text: string, level: number): void {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return;
  if (output.position > 0) output.writeText('\n\n');
  const start = output.position;
  output.writeText(words);
  output.writeBlock({ kind: 'heading', start, end: output.position, level: Math.min(level, MAX_LEVEL) });
}

function moved(block: Block, shift: number, below: number): Block {
  const level = block.kind === 'heading' ? Math.min((block.level ?? 1) + below, MAX_LEVEL) : block.level;
  return { ...block, start: block.start + shift, end: block.end + shift, level };
}
