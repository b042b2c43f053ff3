import type { Block } from '#libs/text';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';
import { cutPoint } from '../scanning/line-splitter.js';
import type { ParseOutput } from './parse-output.js';

type Shape = Omit<Block, 'start' | 'end'>;

/**
 * Writes lines as one block, set apart by an empty line; as several blocks, one line break apart, where the lines are
 * longer than a block may be. Blank lines inside stay.
 */
export function writePlainLines(
  output: ParseOutput,
  lines: readonly string[],
  shape: Shape = { kind: 'paragraph' },
): void {
  let gap = output.position > 0 ? '\n\n' : '';
  let start = -1;
  let hasText = false;
  const close = (): void => {
    if (start >= 0) output.writeBlock({ ...shape, start, end: output.position });
    start = -1;
  };
  const last = lines.findLastIndex((line) => line !== '');
  for (const line of lines.slice(0, last + 1)) {
    for (const piece of piecesOf(line)) {
      if (start >= 0 && output.position + piece.length - start > MAX_BLOCK_UNITS) close();
      if (start < 0 && piece === '') continue;
      output.writeText(gap);
      gap = '';
      hasText = true;
      if (start < 0) start = output.position;
      output.writeText(piece);
    }
    if (hasText) gap = '\n';
  }
  close();
}

/** Pieces of a line that are no longer than a block may be. */
function* piecesOf(line: string): Generator<string> {
  let at = 0;
  while (line.length - at > MAX_BLOCK_UNITS) {
    const cut = cutPoint(line, at, at + MAX_BLOCK_UNITS);
    yield line.slice(at, cut);
    at = cut;
  }
  yield line.slice(at);
}
