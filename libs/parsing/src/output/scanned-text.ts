import type { BlockScanner, EmitBlock } from '../scanning/block-scanner.js';
import type { ParseOutput } from './parse-output.js';

/** Writes a text as it is, set apart by an empty line, and lets a scanner find its blocks. Nothing for a blank text. */
export function writeScanned<T extends BlockScanner>(
  output: ParseOutput,
  text: string,
  create: (emit: EmitBlock) => T,
): T | undefined {
  const body = text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  if (body === '') return undefined;
  if (output.position > 0) output.writeText('\n\n');
  const shift = output.position;
  const scanner = create((block) =>
    output.writeBlock({ ...block, start: block.start + shift, end: block.end + shift }),
  );
  output.writeText(body);
  scanner.feed(body);
  scanner.finish();
  return scanner;
}
